import { formatCount, formatNumber, formatWithin } from "../../core/format.ts";
import type { Bounds } from "../../core/grid.ts";
import type { GridSummary, PointsSummary } from "../../engine/api.ts";
import { describeDims, shownAxes } from "../store/sentences.ts";

export type Fact = readonly [name: string, value: string];

/** The facts about a grid as labels and values: of flat axes behind the others only where they lie, unless that is at 0. */
export function gridFacts({ kind, dims, bounds, spacing }: GridSummary): [Fact, ...Fact[]] {
  const points = dims[0] * dims[1] * dims[2];
  const axes = shownAxes(dims);
  const placed = 1 + [0, 1, 2].findLastIndex((axis) => axis < axes || bounds[2 * axis] !== 0);
  return [
    ["Grid", `${kind}, ${describeDims(dims)}`],
    ["Points", formatCount(points)],
    [
      "Spacing",
      spacing
        ? spacing
            .slice(0, axes)
            .map((h) => formatNumber(h))
            .join(" × ")
        : "non-uniform",
    ],
    ["Bounds", describeBounds(bounds, placed)],
  ];
}

/** The facts about a point set as labels and values. */
export function pointFacts({ count, dimensions, bounds }: PointsSummary): [Fact, ...Fact[]] {
  return [
    ["Points", `${formatCount(count)}, in ${dimensions} dimensions`],
    ["Bounds", describeBounds(bounds)],
  ];
}

function describeBounds(bounds: Bounds, axes = 3): string {
  return [0, 2, 4]
    .slice(0, axes)
    .map((i) => describeInterval(bounds[i], bounds[i + 1]))
    .join(" × ");
}

function describeInterval(min: number, max: number): string {
  return `[${formatWithin(min, { min, max })}, ${formatWithin(max, { min, max })}]`;
}
