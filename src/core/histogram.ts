import type { TypedArray } from "./dtype.ts";

/**
 * How many values (magnitudes where there are several interleaved components) lie in each of `bins` equal parts of
 * the closed range. A value on an inner border counts upwards; values outside, NaN and ∞ are left out.
 */
export function countsIn(
  data: TypedArray,
  components: number,
  [min, max]: readonly [number, number],
  bins: number,
): Uint32Array {
  const counts = new Uint32Array(bins);
  const scale = max > min ? bins / (max - min) : 0;
  for (let at = 0; at + components <= data.length; at += components) {
    let value = Number(data[at]);
    if (components > 1) {
      let squares = 0;
      for (let c = 0; c < components; c++) squares += Number(data[at + c]) ** 2;
      value = Math.sqrt(squares);
    }
    if (value >= min && value <= max) counts[Math.min(bins - 1, Math.floor((value - min) * scale))]++;
  }
  return counts;
}
