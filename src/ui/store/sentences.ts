import { formatCount, formatMilliseconds, formatNumber, formatWithin } from "../../core/format.ts";
import type { Triple } from "../../core/grid.ts";
import type { Statistics } from "../../core/statistics.ts";
import type { ComputeSummary, DataSetSummary, FieldSummary } from "../../engine/api.ts";
import { withoutQuotes } from "../../lang/expression/syntax/quoting.ts";
import { wholeField } from "./field-choice.ts";

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

export function computedSentence(summary: ComputeSummary): string {
  const { derived, quantities, device, kernels, threads = 1, ms } = summary;
  const told = quantities.map(({ name, quantity }) =>
    quantity.kind === "number" ? `${name} = ${describeNumber(quantity.components)}` : name,
  );
  const names = [...derived.map(({ name }) => name), ...told].join(", ");
  const where = device === "gpu" ? `${counted(kernels, "kernel")} on the GPU` : onCpu(threads);
  return `Computed ${names || "nothing to keep"} in ${formatMilliseconds(ms)}, ${where}`;
}

const onCpu = (threads: number): string =>
  threads === 1 ? "on the CPU" : `on the CPU, ${counted(threads, "thread")}`;

/** "3.25", "{1, 0, 0.5}"; a tensor's rows one after the other. */
export function describeNumber(components: readonly number[]): string {
  const texts = components.map((value) => formatNumber(value, 6));
  return texts.length === 1 ? texts[0] : `{${texts.join(", ")}}`;
}

/** Why no isovalue gives a surface of this field; undefined where some may. */
export function whyNoIsosurface(expression: string, range: Statistics): string | undefined {
  const field = withoutQuotes(expression);
  if (Number.isNaN(range.min)) return `${field} has no finite values: it has no isosurface.`;
  if (range.max > range.min) return undefined;
  return `${field} is ${formatWithin(range.min, range)} everywhere: it has no isosurface.`;
}

/** The same of a data set's fields together; undefined where one of them varies. */
export function whyNoneVaries(fields: readonly FieldSummary[]): string | undefined {
  const reasons = fields.map((field) => whyNoIsosurface(wholeField(field), field.statistics));
  if (fields.length === 0 || reasons.includes(undefined)) return undefined;
  return fields.length === 1 ? reasons[0] : "None of the fields varies: none has an isosurface.";
}

/** What the status line says of the surface, an empty one included. */
export function surfaceSentence(
  expression: string,
  counts: { readonly triangles: number; readonly isovalue: number },
  range: Statistics | undefined,
): string {
  const why = range && whyNoIsosurface(expression, range);
  if (why) return why;
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
  return `, its values lie between ${formatWithin(min, range)} and ${formatWithin(max, range)}`;
}
