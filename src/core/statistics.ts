import type { Primitives } from "./primitives/primitives.ts";
import type { Vector } from "./primitives/vector.ts";

/** Range and mean of the finite values; of the magnitude where a field has several components. */
export interface Statistics {
  /** NaN where no finite value exists. */
  readonly min: number;
  readonly max: number;
  readonly mean: number;
  /** Elements that are NaN (any component). */
  readonly nan: number;
  /** Elements that are +∞ or −∞. */
  readonly infinite: number;
  readonly count: number;
  /** The finite values of each component from the least to the greatest, NaN where there are none; only of several components. */
  readonly componentRanges?: readonly ComponentRange[];
}

export type ComponentRange = readonly [min: number, max: number];

/** What statistics need of primitives. */
export type StatisticsPrimitives = Pick<Primitives, "fromHost" | "toHost" | "reduceEach" | "countEach">;

/** The values of a field, wherever they are. */
export interface FieldValues {
  readonly primitives: StatisticsPrimitives;
  /** Scalars follow each other; of several components see the strides. */
  readonly values: Vector<"f32">;
  readonly count: number;
  readonly components: number;
  /** Values from one element to the next, and from one component to the next. */
  readonly elementStride: number;
  readonly componentStride: number;
  /** What is added to each component's values to give the field's. */
  readonly offsets: readonly number[];
}
