import type { KdTree } from "../../core/kd-tree/kd-tree.ts";
import { badArgument } from "../../core/primitives/checks.ts";
import { nearestPoints } from "./queries.ts";

/**
 * The local density at a point of the tree: k / V, where V is the volume (in two dimensions the area) of the ball
 * around it that reaches to the kth nearest of the other points. Where there are fewer others, all of them count; ∞ where k of
 * them are at the same place, 0 for a point alone. Throws BadArgument.
 */
export function densityAt(tree: KdTree, point: ArrayLike<number>, k: number): number {
  if (!(Number.isInteger(k) && k >= 1)) {
    throw badArgument(
      `A density by the ${k} nearest points was asked for.`,
      "Ask for a whole number of them.",
    );
  }
  const others = Math.min(k, tree.ids.length - 1);
  if (others === 0) return 0;
  return densityWithin(tree.dimensions, others, nearestPoints(tree, point, others + 1).squares[others]);
}

/** So many points for the volume, or the area, of a ball of that squared radius. */
const densityWithin = (dimensions: number, points: number, square: number): number =>
  points / (dimensions === 2 ? Math.PI * square : (4 / 3) * Math.PI * square ** 1.5);

/**
 * The density of `count` neighbours whose last has that squared distance: within the ball that reaches to it, or that of the radius where
 * fewer than k are within. 0 where there are none.
 */
export function neighborDensity(
  dimensions: number,
  count: number,
  last: number,
  { k, radius }: { readonly k?: number; readonly radius?: number },
): number {
  if (count === 0) return 0;
  return densityWithin(dimensions, count, count === k || radius === undefined ? last : radius ** 2);
}

/** `densityAt` each point, in the order that the tree's ids tell. */
export function pointDensity(tree: KdTree, k: number): Float32Array<ArrayBuffer> {
  const { dimensions, points, ids } = tree;
  const densities = new Float32Array(ids.length);
  for (let node = 0; node < ids.length; node++) {
    densities[ids[node]] = densityAt(tree, points.subarray(node * dimensions, (node + 1) * dimensions), k);
  }
  return densities;
}
