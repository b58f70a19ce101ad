import type { BarLayout } from "./bar-layout.ts";
import { formatNumber } from "./format.ts";
import { type BarLabels, type BarTick, barLabels, maxLabels } from "./scalar-bar.ts";
import { scalePosition } from "./scale.ts";
import { scaleTicks } from "./scale-ticks.ts";
import type { ScalarBar } from "./view.ts";

/** How far from an end of a lying bar a text around its tick would stand out beyond it. */
const edge = 0.12;

const tickAt = (place: number): BarTick => ({
  place,
  align: place < edge ? "right" : place > 1 - edge ? "left" : "center",
});

/** The labels of a bar of any scale: of logarithmic ones at ticks, or at the ends where there are fewer than two ticks. */
export function scaledLabels(
  bar: Pick<ScalarBar, "min" | "max" | "scale" | "bands">,
  layout: BarLayout,
): BarLabels {
  const { min: low, max: high, scale: kind } = bar;
  if (!kind) return barLabels(bar, layout);
  const scale = { kind, low, high };
  const numbers = scaleTicks(scale, maxLabels[layout]).reverse();
  if (numbers.length < 2) return barLabels(bar, "compact");
  return {
    texts: numbers.map((number) => formatNumber(number)),
    areBands: false,
    ticks: numbers.map((number) => tickAt(1 - scalePosition(scale, number))),
  };
}
