import { digitsWithin, formatNumber, formatWithin } from "./format.ts";

/**
 * `count` numbers from `max` down to `min` at equal steps, written with as many digits as tell them apart; one
 * where the range is a single value.
 */
export function scalarBarLabels(min: number, max: number, count: number): string[] {
  if (!(max > min)) return [formatWithin(max, { min, max })];
  const digits = digitsWithin({ min, max }, 3);
  return Array.from({ length: count }, (_, i) => {
    const value = max - ((max - min) * i) / (count - 1);
    // Far below the bar's resolution, a rounding error of a range around zero included.
    return formatNumber(Math.abs(value) < 5e-4 * (max - min) ? 0 : value, digits);
  });
}
