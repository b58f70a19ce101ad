import { formatCount, formatNumber } from "../../core/format.ts";
import type { GridSummary } from "../../engine/api.ts";
import { describeDims } from "../store/sentences.ts";

const axisNames = ["x", "y", "z"];

/** A grid's names and values, for people. */
export function gridFacts({ kind, dims, bounds, spacing }: GridSummary): [name: string, value: string][] {
  const points = dims[0] * dims[1] * dims[2];
  return [
    ["Grid", `${kind}, ${describeDims(dims)}`],
    ["Points", formatCount(points)],
    ["Spacing", spacing ? spacing.map((h) => formatNumber(h)).join(" × ") : "listed along each axis"],
    [
      "Bounds",
      axisNames
        .map((axis, i) => `${axis} ${formatNumber(bounds[2 * i])} … ${formatNumber(bounds[2 * i + 1])}`)
        .join(", "),
    ],
  ];
}
