import { digitsWithin, formatNumber, formatWithin } from "./format.ts";

interface Size {
  readonly width: number;
  readonly height: number;
}

/**
 * `count` numbers from `max` down to `min` at equal steps, written with as many digits as tell them apart; one
 * where the range is a single value.
 */
function scalarBarLabels(min: number, max: number, count: number): string[] {
  if (!(max > min)) return [formatWithin(max, { min, max })];
  const digits = digitsWithin({ min, max }, 3);
  return Array.from({ length: count }, (_, i) => {
    const value = max - ((max - min) * i) / (count - 1);
    // Far below the bar's resolution, a rounding error of a range around zero included.
    return formatNumber(Math.abs(value) < 5e-4 * (max - min) ? 0 : value, digits);
  });
}

/**
 * How scalar bars are drawn so that they stay beside a fitted box: one alone stands where there is room; several lie above
 * each other in the same column, or, in small views, in compact rows of two below the box.
 */
export type BarLayout = "standing" | "lying" | "compact";

/** The layout of `count` bars in a view of CSS pixels. */
export function barLayout({ width, height }: Size, count: number): BarLayout {
  const hasColumn = width >= 760 && height >= 330;
  if (count < 2) return hasColumn ? "standing" : "lying";
  return hasColumn ? "lying" : "compact";
}

/** Characters of which three labels fit below a lying bar. */
const maxHorizontalCharacters = 16;

/** The labels of a bar, from its highest number down. */
export function barLabels(min: number, max: number, layout: BarLayout): string[] {
  const labels = scalarBarLabels(min, max, { standing: 5, lying: 3, compact: 2 }[layout]);
  const fits = layout !== "lying" || labels.join("").length <= maxHorizontalCharacters;
  return fits ? labels : scalarBarLabels(min, max, 2);
}
