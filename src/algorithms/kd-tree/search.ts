import { axisOf, type KdTree } from "../../core/kd-tree/kd-tree.ts";

/** What a search fills. */
export interface Candidates {
  /** The greatest squared distance that is still wanted. It only falls while a search runs. */
  readonly bound: number;
  /** A point that may be farther than the bound. */
  offer(id: number, square: number): void;
}

/**
 * Offers the points whose side of every plane above them comes as near as the bound, nearer sides first. The stack
 * holds the other side of each node on the way, with the square of its plane's distance.
 */
export function searchTree(tree: KdTree, place: ArrayLike<number>, candidates: Candidates): void {
  const { points, dimensions, ids } = tree;
  let top = 0;
  nodes[0] = 0;
  squares[0] = 0;
  while (top >= 0) {
    let node = nodes[top];
    if (squares[top--] > candidates.bound) continue;
    while (node < ids.length) {
      let square = 0;
      for (let axis = 0; axis < dimensions; axis++) {
        square += (points[node * dimensions + axis] - place[axis]) ** 2;
      }
      // ∞ between two places at ∞ on an axis, too.
      candidates.offer(ids[node], Number.isNaN(square) ? Infinity : square);
      const axis = axisOf(tree, node);
      const beyond = place[axis] - points[node * dimensions + axis];
      const near = 2 * node + (beyond < 0 ? 1 : 2);
      nodes[++top] = 4 * node + 3 - near;
      squares[top] = beyond ** 2;
      node = near;
    }
  }
}

/** The stack of a search, which is done before another one begins: no more entries than a tree has levels. */
const nodes = new Float64Array(33);
const squares = new Float64Array(33);
