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
