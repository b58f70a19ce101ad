import { leftBalanced } from "../../core/kd-tree/splits.ts";

/**
 * The points of a left-balanced tree in the order of its nodes, given their ranks along each axis: 0, 1, …, without ties. The
 * root divides along `rootAxis`, the nodes below along the axes that follow. It is what the levels of the composed build make of a
 * segment with these ranks: one list of the points for each axis is divided as the list of the node's axis is, stably.
 */
export function subtreeOrder(ranks: readonly Uint32Array[], rootAxis: number): Uint32Array<ArrayBuffer> {
  const size = ranks[0].length;
  const lists = ranks.map((along) => {
    const list = new Uint32Array(size);
    for (let i = 0; i < size; i++) list[along[i]] = i;
    return list;
  });
  const order = new Uint32Array(size);
  const goesRight = new Uint8Array(size);
  const right = new Uint32Array(size);

  function visit(node: number, from: number, to: number, axis: number): void {
    const own = lists[axis];
    const middle = from + leftBalanced.left(to - from);
    const pivot = own[middle];
    order[node] = pivot;
    if (to - from === 1) return;
    for (let at = from; at < middle; at++) goesRight[own[at]] = 0;
    for (let at = middle + 1; at < to; at++) goesRight[own[at]] = 1;
    for (const list of lists) if (list !== own) divide(list, pivot, from, to);
    const next = (axis + 1) % lists.length;
    visit(2 * node + 1, from, middle, next);
    if (middle + 1 < to) visit(2 * node + 2, middle + 1, to, next);
  }

  function divide(list: Uint32Array, pivot: number, from: number, to: number): void {
    let [left, waiting] = [from, 0];
    for (let at = from; at < to; at++) {
      const point = list[at];
      if (point === pivot) continue;
      if (goesRight[point]) right[waiting++] = point;
      else list[left++] = point;
    }
    list[left] = pivot;
    list.set(right.subarray(0, waiting), left + 1);
  }

  if (size > 0) visit(0, 0, size, rootAxis);
  return order;
}
