import { formatCount, formatNumber, formatWithin } from "../../core/format.ts";
import type { GridSummary } from "../../engine/api.ts";
import { describeDims } from "../store/sentences.ts";

/** A grid's names and values, for people. */
export function gridFacts({ kind, dims, bounds, spacing }: GridSummary): [name: string, value: string][] {
  const points = dims[0] * dims[1] * dims[2];
  return [
    ["Grid", `${kind}, ${describeDims(dims)}`],
    ["Points", formatCount(points)],
    ["Spacing", spacing ? spacing.map((h) => formatNumber(h)).join(" × ") : "listed along each axis"],
    ["Bounds", [0, 2, 4].map((i) => describeInterval(bounds[i], bounds[i + 1])).join(" × ")],
  ];
}

function describeInterval(min: number, max: number): string {
  return `[${formatWithin(min, { min, max })}, ${formatWithin(max, { min, max })}]`;
}
