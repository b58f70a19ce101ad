/** What `import … from "crinkle/trees"` gives: KD-trees of points in two or three dimensions. */
import * as build from "../algorithms/kd-tree/build.ts";
import type { AxisRule, KdTree } from "../core/kd-tree/kd-tree.ts";
import type { Primitives } from "../core/primitives/primitives.ts";
import { createCpuPrimitives } from "../cpu/primitives/cpu-primitives.ts";

export { densityAt, pointDensity } from "../algorithms/kd-tree/density.ts";
export { type Found, nearestPoints, pointsWithin } from "../algorithms/kd-tree/queries.ts";
export { CrinkleError } from "../core/errors.ts";
export type { AxisRule, KdTree } from "../core/kd-tree/kd-tree.ts";

export interface KdTreeOptions {
  /** Coordinates of a point: 3 where it is left out. */
  readonly dimensions?: 2 | 3;
  /** "alternating" where it is left out. */
  readonly axes?: AxisRule;
  /** What it is built by (crinkle/primitives): a CPU where they are left out. */
  readonly primitives?: Primitives;
}

/**
 * The left-balanced KD-tree of points whose coordinates follow each other (x, y, z, x, y, z, …). A set of points has one tree,
 * whatever builds it. Rejects with BadArgument where a coordinate is NaN or the last point is incomplete, and with what the
 * primitives throw.
 */
export const buildKdTree = (
  points: Float32Array,
  { dimensions = 3, axes, primitives = createCpuPrimitives() }: KdTreeOptions = {},
): Promise<KdTree> => build.buildKdTree(primitives, points, dimensions, axes);
