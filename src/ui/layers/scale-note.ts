import { formatNumber, type NumberRange } from "../../core/format.ts";
import { linearLimit, lowestFraction, type ScaleKind } from "../../core/scale.ts";

/**
 * What a person should know about the colours of a scale beyond its name: where it begins, what becomes of numbers that it has
 * no place for, where it is linear. `shown` is the range of the colours, `values` that of the field.
 */
export function scaleNote(kind: ScaleKind, shown: NumberRange, values: NumberRange): string | undefined {
  const { min: low, max: high } = shown;
  if (kind === "linear" || !(high > low)) return undefined;
  if (kind === "symlog") {
    const limit = formatNumber(linearLimit({ kind, low, high }));
    return `Linear between −${limit} and ${limit}, a thousandth of the largest value shown; logarithmic beyond.`;
  }
  if (!(low > 0)) return "No value shown is above 0, so the colours are linear.";
  const isByRule = Math.abs(low - lowestFraction * high) <= 1e-9 * low && values.min < low;
  const from = isByRule
    ? `Colours begin at ${formatNumber(low)}, a millionth of the largest value shown.`
    : "";
  const below = values.min <= 0 ? "Values of 0 and below have the lowest colour." : "";
  return `${from} ${below}`.trim() || undefined;
}
