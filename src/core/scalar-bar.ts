import { formatNumber, formatWithin } from "./format.ts";

/**
 * `count` numbers from `max` down to `min` at equal steps, written with as many digits as tell them apart; one
 * where the range is a single value.
 */
export function scalarBarLabels(min: number, max: number, count: number): string[] {
  if (!(max > min)) return [formatWithin(max, { min, max })];
  const largest = Math.max(Math.abs(min), Math.abs(max));
  const digits = Math.min(15, Math.max(3, Math.ceil(Math.log10(largest / (max - min))) + 3));
  return Array.from({ length: count }, (_, i) => {
    const value = max - ((max - min) * i) / (count - 1);
    // A rounding error of a range around zero is not a number worth reading.
    return formatNumber(Math.abs(value) < 1e-9 * largest ? 0 : value, digits);
  });
}
