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
  const { min, max, mean, nan, infinite } = found;
  return { field: name, components, centering, min, max, mean, nan, infinite };
}
