import {
  hostHistogram,
  hostStatistics,
  hostValues as valuesOf,
} from "../../../algorithms/statistics/host.ts";
import type { Selection } from "../../../algorithms/statistics/selection.ts";
import type { Field } from "../../../core/field.ts";
import { type Grid, valuePosition } from "../../../core/grid.ts";
import type { Statistics } from "../../../core/statistics.ts";
import { createCpuEach } from "../../../cpu/primitives/each-primitives.ts";
import type { ScalarValues } from "../filters/filter.ts";

const primitives = createCpuEach();

/** The values of a scalar of f32 or f64 in host memory: read where they are, once for each thing that is asked of them. */
export function hostValues(grid: Grid, { data, centering }: Field): ScalarValues {
  const values = data as Float32Array | Float64Array;
  const field = valuesOf(primitives, values, 1);
  let found: Promise<Statistics> | undefined;
  let selection: Selection | undefined;
  return {
    statistics() {
      found ??= hostStatistics(primitives, values, 1);
      return found;
    },
    // Few texts ask for the following: what answers them is loaded with the first.
    async quantile(p) {
      const { digitsOf, quantileOf, Selection } = await import("../../../algorithms/statistics/selection.ts");
      selection ??= new Selection(field, digitsOf(values));
      return quantileOf(selection, p);
    },
    counts: (range, bins) => hostHistogram(primitives, values, 1, range, bins),
    async positionOf(value) {
      const { firstElement } = await import("../../../algorithms/statistics/first-element.ts");
      return valuePosition(grid, centering, (await firstElement(field, value)) ?? 0);
    },
  };
}
