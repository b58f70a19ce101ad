import type { LayerPaint } from "../../core/layers.ts";
import type { Statistics } from "../../core/statistics.ts";
import type { DataSetSummary, FieldSummary, GridSummary } from "../../engine/api.ts";
import { wholeField } from "../../lang/expression/syntax/field-scalars.ts";
import { quoteName } from "../../lang/expression/syntax/quoting.ts";
import { choicesOf, type FieldChoice, findChoice, isVector } from "./field-choice.ts";

type Range = Pick<Statistics, "min" | "max"> & Partial<Pick<Statistics, "mean">>;

/** Position of a long-tailed field's first isovalue, as a fraction of the way from the mean to the far end. */
const tailFraction = 0.15;
/**
 * The same as a fraction of the extreme of a vortex criterion, whose few strongest values lie far beyond those of most
 * vortices.
 */
const criterionFraction = 0.03;

/**
 * An isovalue that is likely to show something, in few digits: the middle of the range, or, where most values crowd
 * at one end (a vortex criterion, a density), a step from the mean into the long tail. NaN where no value is finite.
 */
export function defaultIsovalue(range: Range, definition = ""): number {
  return roundWithin(promisingValue(range, definition), range);
}

/** The nearest multiple of 1, 2 or 5 times a power of ten that is small beside both the range and the value. */
function roundWithin(value: number, { min, max }: Range): number {
  const span = max - min;
  if (Math.abs(value) < 0.005 * span && min < 0 && max > 0) return 0;
  const step = niceBelow(Math.min(span / 50, Math.abs(value) / 4));
  const rounded = Number((Math.round(value / step) * step).toPrecision(12));
  return rounded > min && rounded < max ? rounded : value;
}

/** The largest of 1, 2 and 5 times a power of ten that is not above `limit`. */
function niceBelow(limit: number): number {
  const power = 10 ** Math.floor(Math.log10(limit));
  return power * (limit >= 5 * power ? 5 : limit >= 2 * power ? 2 : 1);
}

/** A comparison, or several of them: the field is 0 where it is false, and 1 where it is true. */
const comparison = /[<>]|[=!]=|\b(and|or|not)\b/;

function promisingValue({ min, max, mean }: Range, definition: string): number {
  const middle = 0.5 * (min + max);
  if (min === 0 && max === 1 && comparison.test(definition)) return middle;
  if (/\bq_criterion\b/.test(definition) && max > 0) return criterionFraction * max;
  if (/\blambda2\b/.test(definition) && min < 0) return criterionFraction * min;
  if (mean === undefined || !(max > min)) return middle;
  const place = (mean - min) / (max - min);
  if (place < 0.3) return mean + tailFraction * (max - mean);
  if (place > 0.7) return mean - tailFraction * (mean - min);
  return middle;
}

/** A surface needs cells with eight corners. */
export function isFlat(grid: GridSummary): boolean {
  return grid.dims.some((n) => n < 2);
}

/** The field to show first: a scalar if there is one with a range, else a magnitude. */
export function firstChoice(fields: readonly FieldSummary[]): FieldChoice | undefined {
  const varying = fields.filter(({ statistics: { min, max } }) => max > min);
  const field = varying.find(({ components }) => components === 1) ?? varying[0];
  return field && choicesOf(field)[0];
}

/** A finite range for thresholds and colours: that of a field without finite values is NaN. */
export function finiteRange(low: number | undefined, high: number | undefined): readonly [number, number] {
  return Number.isFinite(low) && Number.isFinite(high) ? [Number(low), Number(high)] : [0, 1];
}

/** A colour field that shows more than the surface field itself: the first vector's magnitude. */
export function defaultColorBy(fields: readonly FieldSummary[], surfaceSource: string): string | undefined {
  const vector = fields.find((field) => isVector(field) && field.name !== surfaceSource);
  return vector && wholeField(vector);
}

/**
 * If the mean is below this fraction of the maximum, colours over the field's whole range would leave a surface dark.
 */
const darkMean = 0.05;

/** The initial colour range: the range on the surface if few values of the colour field are large. */
export function defaultColorRange(
  fields: readonly FieldSummary[],
  colorBy: string | undefined,
): LayerPaint["range"] {
  const statistics = colorBy === undefined ? undefined : findChoice(fields, colorBy)?.statistics;
  if (!statistics) return undefined;
  const { min, mean, max } = statistics;
  return mean - min < darkMean * (max - min) ? "surface" : undefined;
}

/** Expressions on points cannot use functions that read neighbours in a grid. */
function columnText(fields: readonly FieldSummary[]): string {
  const vector = fields.find(isVector);
  if (vector) return `length = magnitude(${quoteName(vector.name)})`;
  const scalar = fields.find(({ components }) => components === 1);
  if (!scalar) return "";
  const name = quoteName(scalar.name);
  return `scaled = ${name} / maximum(abs(${name}))`;
}

/** The expression that the editor suggests for a new data set. */
export function suggestedText({ fields, points }: Pick<DataSetSummary, "fields" | "points">): string {
  if (points) return columnText(fields);
  const vector = fields.find(({ components }) => components === 3);
  if (vector) return `q = q_criterion(${quoteName(vector.name)})`;
  const scalar = fields.find(({ components }) => components === 1);
  if (scalar) return `steepness = magnitude(gradient(${quoteName(scalar.name)}))`;
  const [other] = fields;
  if (!other) return "";
  const name = quoteName(other.name);
  if (other.components === 9) return `t = trace(${name})`;
  return other.components === 2 ? `m = magnitude(${name})` : `first = ${name}[0]`;
}
