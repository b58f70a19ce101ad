import type { Histogram } from "./histogram.ts";

/** The result of an expression that is no field: a value that is the same everywhere, or a table. */
export type Quantity =
  | {
      readonly kind: "number";
      /** One, those of a vector, or a tensor's by rows. */
      readonly components: readonly number[];
    }
  | { readonly kind: "histogram"; readonly histogram: Histogram };

/** Its components, or its counts. */
export function numbersOf(quantity: Quantity): readonly number[] {
  return quantity.kind === "number" ? quantity.components : quantity.histogram.counts;
}
