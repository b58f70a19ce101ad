import { formatCount, formatMilliseconds, formatNumber, formatWithin } from "../../core/format.ts";
import type { Triple } from "../../core/grid.ts";
import type { Statistics } from "../../core/statistics.ts";
import type { ComputeSummary, DataSetSummary } from "../../engine/api.ts";
import { withoutQuotes } from "../../lang/expression/syntax/quoting.ts";

/** 1 field, 2 fields. */
function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

export function describeDims(dims: Triple): string {
  return dims.map(formatCount).join(" × ");
}

export function loadedSentence({ name, grid, fields }: DataSetSummary): string {
  return `Loaded ${name}: ${describeDims(grid.dims)} points, ${counted(fields.length, "field")}`;
}

export function computedSentence({ derived, device, kernels, ms }: ComputeSummary): string {
  const names = derived.map(({ name }) => name).join(", ");
  const where = device === "gpu" ? `${counted(kernels, "kernel")} on the GPU` : "on the CPU";
  return `Computed ${names || "nothing to keep"} in ${formatMilliseconds(ms)}, ${where}`;
}

/** What the status line says of the surface, an empty one included. */
export function surfaceSentence(
  expression: string,
  counts: { readonly triangles: number; readonly isovalue: number },
  range: Statistics | undefined,
): string {
  const field = withoutQuotes(expression);
  const { triangles } = counts;
  const isovalue = range ? formatWithin(counts.isovalue, range) : formatNumber(counts.isovalue);
  if (triangles > 0) {
    return `${field}: ${counted(triangles, "triangle")} at isovalue ${isovalue}`;
  }
  return `${field}: the surface is empty at isovalue ${isovalue}${rangeClause(range)}`;
}

function rangeClause(range: Statistics | undefined): string {
  if (!range) return "";
  const { min, max } = range;
  if (Number.isNaN(min)) return ", it has no finite value";
  if (min === max) return `, all its values are ${formatWithin(min, range)}`;
  return `, its values lie between ${formatWithin(min, range)} and ${formatWithin(max, range)}`;
}
