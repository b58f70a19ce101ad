import type { Statistics } from "../../../core/statistics.ts";

/** Statistics of interleaved numbers by a plain loop in f64. */
export function looped(data: ArrayLike<number>, components: number): Statistics {
  const values = Array.from({ length: data.length / components }, (_, i) =>
    components === 1
      ? data[i]
      : Math.hypot(
          ...Array.from({ length: components }, (_, c) => nanFirst(data, i * components + c, i, components)),
        ),
  );
  const finite = values.filter(Number.isFinite);
  const nan = values.filter(Number.isNaN).length;
  const counts = { nan, infinite: values.length - finite.length - nan, count: values.length };
  if (finite.length === 0) return { min: Number.NaN, max: Number.NaN, mean: Number.NaN, ...counts };
  return {
    min: finite.reduce((a, b) => Math.min(a, b)),
    max: finite.reduce((a, b) => Math.max(a, b)),
    mean: finite.reduce((a, b) => a + b) / finite.length,
    ...counts,
  };
}

/** hypot is infinite where any number is, though another is NaN. */
function nanFirst(data: ArrayLike<number>, at: number, i: number, components: number): number {
  for (let c = 0; c < components; c++) if (Number.isNaN(data[i * components + c])) return Number.NaN;
  return data[at];
}
