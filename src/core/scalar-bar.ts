import type { BarLayout } from "./bar-layout.ts";
import { digitsWithin, formatNumber, formatWithin } from "./format.ts";
import type { ScalarBar } from "./view.ts";

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

/** Characters of which three labels fit below a lying bar. */
const maxHorizontalCharacters = 16;

/** The most bands that have a label each. */
const maxBandLabels: Readonly<Record<BarLayout, number>> = { standing: 10, lying: 8, compact: 8 };

/** Texts along a bar. */
export interface BarLabels {
  /** From the bar's highest number down. */
  readonly texts: readonly string[];
  /** Whether they are in the middles of as many bands, instead of from end to end. */
  readonly areBands: boolean;
  /** If they are not at equal steps: their ticks. */
  readonly ticks?: readonly BarTick[];
}

export interface BarTick {
  /** As of `labelPlace`. */
  readonly place: number;
  /** Which part of the text is there, if the bar lies. */
  readonly align: "left" | "center" | "right";
}

/** The most labels of a bar. */
export const maxLabels: Readonly<Record<BarLayout, number>> = { standing: 5, lying: 3, compact: 2 };

/** Of a linear scale, or of bands. */
export function barLabels(
  { min, max, bands = 0 }: Pick<ScalarBar, "min" | "max" | "bands">,
  layout: BarLayout,
): BarLabels {
  if (bands > 0) {
    const areBands = bands <= maxBandLabels[layout];
    const numbers = areBands ? Array.from({ length: bands }, (_, k) => bands - 1 - k) : [bands - 1, 0];
    return { texts: numbers.map(String), areBands };
  }
  const texts = scalarBarLabels(min, max, maxLabels[layout]);
  const fits = layout !== "lying" || texts.join("").length <= maxHorizontalCharacters;
  return { texts: fits ? texts : scalarBarLabels(min, max, 2), areBands: false };
}

/** Where label `k` of `labels` is: 0 at the bar's highest number, 1 at its lowest. */
export function labelPlace({ texts, areBands, ticks }: BarLabels, k: number): number {
  if (ticks) return ticks[k].place;
  if (areBands) return (k + 0.5) / texts.length;
  return texts.length > 1 ? k / (texts.length - 1) : 0.5;
}
