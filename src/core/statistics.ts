import type { TypedArray } from "./dtype.ts";

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
}

/** One pass over interleaved values; the mean is summed in f64. */
export function statistics(data: TypedArray | readonly number[], components = 1): Statistics {
  let min = Number.POSITIVE_INFINITY;
  let max = Number.NEGATIVE_INFINITY;
  let sum = 0;
  let nan = 0;
  let infinite = 0;
  const count = data.length / components;
  for (let i = 0; i < count; i++) {
    let value: number;
    if (components === 1) value = Number(data[i]);
    else {
      let squares = 0;
      for (let c = 0; c < components; c++) {
        const x = Number(data[i * components + c]);
        squares += x * x;
      }
      value = Math.sqrt(squares);
    }
    if (Number.isNaN(value)) nan++;
    else if (value === Number.POSITIVE_INFINITY || value === Number.NEGATIVE_INFINITY) infinite++;
    else {
      if (value < min) min = value;
      if (value > max) max = value;
      sum += value;
    }
  }
  const finite = count - nan - infinite;
  if (finite === 0) return { min: Number.NaN, max: Number.NaN, mean: Number.NaN, nan, infinite, count };
  return { min, max, mean: sum / finite, nan, infinite, count };
}
