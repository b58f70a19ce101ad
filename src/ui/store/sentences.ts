import { formatCount, formatMilliseconds, formatNumber, formatWithin } from "../../core/format.ts";
import type { Triple } from "../../core/grid.ts";
import type { Layer } from "../../core/layers.ts";
import type { Statistics } from "../../core/statistics.ts";
import type { ComputeSummary, DataSetSummary, FieldSummary } from "../../engine/api.ts";
import { titleOf } from "../../engine/layers/titles.ts";
import { wholeField } from "../../lang/expression/syntax/field-scalars.ts";
import { withoutQuotes } from "../../lang/expression/syntax/quoting.ts";
import { factsOf, type LayerFacts, type LayersState, selectedLayer, shownTriangles } from "./layers/state.ts";

/** 1 field, 2 fields. */
function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** The axes of a grid but for flat ones behind the others: 2 of an image, 1 of a row, and at least one. */
export const shownAxes = (dims: Triple): number => Math.max(1, dims.findLastIndex((n) => n > 1) + 1);

export function describeDims(dims: Triple): string {
  return dims.slice(0, shownAxes(dims)).map(formatCount).join(" × ");
}

export function loadedSentence({ name, grid, points, fields }: DataSetSummary): string {
  const size = grid ? `${describeDims(grid.dims)} points` : counted(points?.count ?? 0, "point");
  return `Loaded ${name}: ${size}, ${counted(fields.length, grid ? "field" : "column")}`;
}

export function computedSentence(summary: ComputeSummary): string {
  const { derived, quantities, ms } = summary;
  const quantityTexts = quantities.map(({ name, quantity }) =>
    quantity.kind === "number" ? `${name} = ${describeNumber(quantity.components)}` : name,
  );
  const names = [...derived.map(({ name }) => name), ...quantityTexts].join(", ");
  return `Computed ${names || "nothing to keep"} in ${formatMilliseconds(ms)}, ${whereComputed(summary)}`;
}

function whereComputed({ ranks, device, kernels, threads = 1 }: ComputeSummary): string {
  if (ranks !== undefined)
    return `on ${counted(ranks, "rank")}${kernels > 0 ? `, ${counted(kernels, "kernel")}` : ""}`;
  return device === "gpu" ? `${counted(kernels, "kernel")} on the GPU` : onCpu(threads);
}

const onCpu = (threads: number): string =>
  threads === 1 ? "on the CPU" : `on the CPU, ${counted(threads, "thread")}`;

/** "3.25", "{1, 0, 0.5}"; a tensor's rows one after the other. */
export function describeNumber(components: readonly number[]): string {
  const texts = components.map((value) => formatNumber(value, 6));
  return texts.length === 1 ? texts[0] : `{${texts.join(", ")}}`;
}

/** Why no isovalue gives a surface of this field; undefined if some may. */
export function whyNoIsosurface(expression: string, range: Statistics): string | undefined {
  const field = withoutQuotes(expression);
  if (Number.isNaN(range.min)) return `${field} has no finite values: it has no isosurface.`;
  if (range.max > range.min) return undefined;
  return `${field} is ${formatWithin(range.min, range)} everywhere: it has no isosurface.`;
}

/** The same for all fields of a data set; undefined if one of them varies. */
export function whyNoneVaries(fields: readonly FieldSummary[]): string | undefined {
  const reasons = fields.map((field) => whyNoIsosurface(wholeField(field), field.statistics));
  if (fields.length === 0 || reasons.includes(undefined)) return undefined;
  return fields.length === 1 ? reasons[0] : "No field varies, so none has an isosurface.";
}

/** The status line's sentence about the selected layer, even if it is empty, and about all layers. */
export function layersSentence(layers: LayersState): string {
  const selected = selectedLayer(layers);
  const own = selected ? layerSentence(selected, factsOf(layers, selected.id)) : "";
  const shown = layers.list.filter(({ isVisible }) => isVisible);
  if (shown.length < 2) return own;
  const all = `${counted(shown.length, "layer")}, ${counted(shownTriangles(layers) ?? 0, "triangle")}`;
  return own ? `${own} · ${all}` : all;
}

function layerSentence(layer: Layer, { counts, field: range }: LayerFacts): string {
  const { shape } = layer;
  const why = shape.kind === "isosurface" && range && whyNoIsosurface(shape.field, range);
  if (why) return why;
  if (!counts) return "";
  const title = titleOf(layer);
  if (!layer.isVisible) return `${title} is hidden`;
  if (shape.kind === "points") return title;
  const { triangles } = counts;
  if (shape.kind === "isosurface")
    return isosurfaceSentence(title, { ...counts, among: shape.isovalues.length }, range);
  return triangles > 0
    ? `${title}: ${counted(triangles, "triangle")}`
    : `${title}: ${counts.note ?? "no data lies there"}`;
}

function isosurfaceSentence(
  title: string,
  { triangles, isovalue = Number.NaN, among }: NonNullable<LayerFacts["counts"]> & { readonly among: number },
  range: Statistics | undefined,
): string {
  const first = range ? formatWithin(isovalue, range) : formatNumber(isovalue);
  const where = among === 1 ? `isovalue ${first}` : `${among} isovalues`;
  return triangles > 0
    ? `${title}: ${counted(triangles, "triangle")} at ${where}`
    : `${title}: the surface is empty at ${where}${rangeClause(range)}`;
}

function rangeClause(range: Statistics | undefined): string {
  if (!range) return "";
  const { min, max } = range;
  return `, its values lie between ${formatWithin(min, range)} and ${formatWithin(max, range)}`;
}
