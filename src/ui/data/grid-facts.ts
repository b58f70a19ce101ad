import { formatCount, formatNumber, formatWithin } from "../../core/format.ts";
import type { Bounds } from "../../core/grid.ts";
import type { GridSummary, PointsSummary } from "../../engine/api.ts";
import { describeDims } from "../store/sentences.ts";

export type Fact = readonly [name: string, value: string];

/** The facts about a grid as labels and values. */
export function gridFacts({ kind, dims, bounds, spacing }: GridSummary): [Fact, ...Fact[]] {
  const points = dims[0] * dims[1] * dims[2];
  return [
    ["Grid", `${kind}, ${describeDims(dims)}`],
    ["Points", formatCount(points)],
    ["Spacing", spacing ? spacing.map((h) => formatNumber(h)).join(" × ") : "non-uniform"],
    ["Bounds", describeBounds(bounds)],
  ];
}

/** The facts about a point set as labels and values. */
export function pointFacts({ count, dimensions, bounds }: PointsSummary): [Fact, ...Fact[]] {
  return [
    ["Points", `${formatCount(count)}, in ${dimensions} dimensions`],
    ["Bounds", describeBounds(bounds)],
  ];
}

function describeBounds(bounds: Bounds): string {
  return [0, 2, 4].map((i) => describeInterval(bounds[i], bounds[i + 1])).join(" × ");
}

function describeInterval(min: number, max: number): string {
  return `[${formatWithin(min, { min, max })}, ${formatWithin(max, { min, max })}]`;
}
