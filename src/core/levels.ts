import { fitsF32, type TypedArray } from "./dtype.ts";
import type { Field } from "./field.ts";

/** Variation below this share of the magnitude loses three or more of f32's 24 bits. */
const narrowRatio = 2 ** -3;

/** Every whole number up to here is an f32. */
export const exactInF32 = 2 ** 24;

/** The finite range of a component; from infinity to minus infinity where it has no finite value. */
export type Extremes = readonly [min: number, max: number];

/** The finite range of each component of values. */
export function extremesOf(data: TypedArray, components: number): Extremes[] {
  return Array.from({ length: components }, (_, c): Extremes => {
    let min = Number.POSITIVE_INFINITY;
    let max = Number.NEGATIVE_INFINITY;
    for (let i = c; i < data.length; i += components) {
      const value = Number(data[i]);
      if (value < min && value !== Number.NEGATIVE_INFINITY) min = value;
      if (value > max && value !== Number.POSITIVE_INFINITY) max = value;
    }
    return [min, max];
  });
}

/** The midpoint of a range that is narrow around a large value; zero for others. */
export function levelOf([min, max]: Extremes): number {
  const largest = Math.max(Math.abs(min), Math.abs(max));
  return max > min && max - min < largest * narrowRatio ? 0.5 * (min + max) : 0;
}

/** Whether f32 rounds values of a field: f64, and integers of 32 and 64 bits where some are beyond 2²⁴. */
export function needsF64({ dtype, data, isWide }: Pick<Field, "dtype" | "data" | "isWide">): boolean {
  return isWide ?? (dtype === "f64" || (!fitsF32(dtype) && isBeyond(data, exactInF32)));
}

/** Whether a field holds integers that double precision rounds: those of 64 bits beyond 2⁵³. */
export function exceedsF64({ dtype, data }: Pick<Field, "dtype" | "data">): boolean {
  return (dtype === "i64" || dtype === "u64") && isBeyond(data, Number.MAX_SAFE_INTEGER);
}

/** Whether the magnitude of any integer is beyond the limit. */
function isBeyond(data: TypedArray, limit: number): boolean {
  if (data instanceof BigInt64Array || data instanceof BigUint64Array) {
    const [low, high] = [BigInt(-limit), BigInt(limit)];
    for (let i = 0; i < data.length; i++) if (data[i] > high || data[i] < low) return true;
    return false;
  }
  for (let i = 0; i < data.length; i++) if (data[i] > limit || data[i] < -limit) return true;
  return false;
}
