import { expect } from "vitest";
import { axisOf, type KdTree } from "../kd-tree.ts";

const at = ({ points, dimensions }: KdTree, node: number): Float32Array =>
  points.subarray(node * dimensions, (node + 1) * dimensions);

/** Fails unless every node's point lies within the bounds that the nodes above it set, and all points are there once. */
export function expectKdTree(tree: KdTree, points: Float32Array): void {
  const { dimensions, ids } = tree;
  const n = points.length / dimensions;
  expect(ids.length).toBe(n);
  expect(new Set(ids).size).toBe(n);
  const faults: string[] = [];
  const visit = (node: number, low: readonly number[], high: readonly number[]) => {
    if (node >= n) return;
    const point = at(tree, node);
    const given = points.subarray(ids[node] * dimensions, (ids[node] + 1) * dimensions);
    if (!point.every((x, a) => Object.is(x, given[a])))
      faults.push(`node ${node} has another point than its id`);
    if (!point.every((x, a) => x >= low[a] && x <= high[a])) faults.push(`node ${node} leaves its bounds`);
    const axis = axisOf(tree, node);
    visit(2 * node + 1, low, high.with(axis, Math.min(high[axis], point[axis])));
    visit(2 * node + 2, low.with(axis, Math.max(low[axis], point[axis])), high);
  };
  visit(0, Array(dimensions).fill(-Infinity), Array(dimensions).fill(Infinity));
  expect(faults.slice(0, 5)).toEqual([]);
}

/** Fails unless every node with others below it divides along the first axis of their, and its, greatest extent. */
export function expectWidestAxes(tree: KdTree): void {
  const { dimensions, ids } = tree;
  const faults: string[] = [];
  const rangesFrom = (node: number): (readonly [number, number])[] => {
    const own = Array.from(at(tree, node), (x) => [x, x] as const);
    const children = [2 * node + 1, 2 * node + 2].filter((child) => child < ids.length);
    const all = [own, ...children.map(rangesFrom)];
    const ranges = own.map((_, axis): readonly [number, number] => [
      Math.min(...all.map((of) => of[axis][0])),
      Math.max(...all.map((of) => of[axis][1])),
    ]);
    const extents = ranges.map(([low, high]) => (low === high ? 0 : Math.fround(high - low)));
    const widest = extents.indexOf(Math.max(...extents));
    if (children.length > 0 && axisOf(tree, node) !== widest)
      faults.push(`node ${node} divides along axis ${axisOf(tree, node)}, of extents ${extents}`);
    return ranges;
  };
  if (ids.length > 0) rangesFrom(0);
  expect(dimensions).toBeGreaterThan(1);
  expect(faults.slice(0, 5)).toEqual([]);
}

/** Squared distances, of the least first, from a place to the nearest points: all of them where k is left out. */
export function nearestByForce(points: Float32Array, place: ArrayLike<number>, k = Infinity): number[] {
  const dimensions = place.length;
  const squares = Array.from({ length: points.length / dimensions }, (_, i) => {
    let square = 0;
    for (let axis = 0; axis < dimensions; axis++)
      square += (points[i * dimensions + axis] - place[axis]) ** 2;
    return square;
  });
  return squares.sort((a, b) => a - b).slice(0, k);
}
