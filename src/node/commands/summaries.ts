/** What commands print of results. */
import type { Field } from "../../core/field.ts";
import type { Quantity } from "../../core/quantity.ts";
import type { Statistics } from "../../core/statistics.ts";

export function summarizeQuantity(name: string, quantity: Quantity) {
  if (quantity.kind === "histogram") return { histogram: name, ...quantity.histogram };
  const { components } = quantity;
  return components.length === 1
    ? { number: name, value: components[0] }
    : { vector: name, value: components };
}

export function summarizeField(
  { name, components, centering }: Pick<Field, "name" | "components" | "centering">,
  found: Statistics,
) {
  return { field: name, components, centering, ...summarizeStatistics(found) };
}

/** Of several components, the range and mean are the magnitude's, and the components have ranges of their own. */
export function summarizeStatistics({ min, max, mean, nan, infinite, componentRanges }: Statistics) {
  const numbers = { min, max, mean, nan, infinite };
  return componentRanges ? { of: "magnitude", ...numbers, componentRanges } : numbers;
}
