import { digitsWithin, formatNumber, formatWithin } from "./format.ts";
import { type Scale, scalePosition } from "./scale.ts";
import { scaleTicks } from "./scale-ticks.ts";
import type { ScalarBar } from "./view.ts";

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

/** The most bands that have a label each. */
const maxBandLabels: Readonly<Record<BarLayout, number>> = { standing: 10, lying: 8, compact: 8 };

/** Texts along a bar. */
export interface BarLabels {
  /** From the bar's highest number down. */
  readonly texts: readonly string[];
  /** Whether they are in the middles of as many bands, instead of from end to end. */
  readonly areBands: boolean;
  /** Where they are, as of `labelPlace`, if not at equal steps: each has a tick. */
  readonly places?: readonly number[];
}

/** The most labels of a bar. */
const maxLabels: Readonly<Record<BarLayout, number>> = { standing: 5, lying: 3, compact: 2 };

export function barLabels(
  { min, max, scale: kind = "linear", bands = 0 }: Pick<ScalarBar, "min" | "max" | "scale" | "bands">,
  layout: BarLayout,
): BarLabels {
  if (bands > 0) {
    const areBands = bands <= maxBandLabels[layout];
    const numbers = areBands ? Array.from({ length: bands }, (_, k) => bands - 1 - k) : [bands - 1, 0];
    return { texts: numbers.map(String), areBands };
  }
  if (kind !== "linear") return scaledLabels({ kind, low: min, high: max }, maxLabels[layout]);
  const texts = scalarBarLabels(min, max, maxLabels[layout]);
  const fits = layout !== "lying" || texts.join("").length <= maxHorizontalCharacters;
  return { texts: fits ? texts : scalarBarLabels(min, max, 2), areBands: false };
}

/** At the ticks of a scale, or at its ends where it has fewer than two. */
function scaledLabels(scale: Scale, most: number): BarLabels {
  const { low, high } = scale;
  const ticks = scaleTicks(scale, most).reverse();
  if (ticks.length < 2) return { texts: scalarBarLabels(low, high, 2), areBands: false };
  return {
    texts: ticks.map((tick) => formatNumber(tick)),
    areBands: false,
    places: ticks.map((tick) => 1 - scalePosition(scale, tick)),
  };
}

/** Where label `k` of `labels` is: 0 at the bar's highest number, 1 at its lowest. */
export function labelPlace({ texts, areBands, places }: BarLabels, k: number): number {
  if (places) return places[k];
  if (areBands) return (k + 0.5) / texts.length;
  return texts.length > 1 ? k / (texts.length - 1) : 0.5;
}

/** How far from an end of a lying bar a label in its middle would stand out beyond it. */
const edge = 0.12;

/** Which part of a label of a lying bar is at its place: the label stays within the bar. */
export function labelAlign(labels: BarLabels, k: number): "left" | "center" | "right" {
  const place = labelPlace(labels, k);
  if (labels.areBands || (place >= edge && place <= 1 - edge)) return "center";
  return place < edge ? "right" : "left";
}
