import type { Field } from "../../../core/field.ts";
import { type Grid, valuePosition } from "../../../core/grid.ts";
import { countsIn } from "../../../core/histogram.ts";
import { quantileOf, type Selection, selectionIn } from "../../../core/order-statistics.ts";
import { type Statistics, statistics } from "../../../core/statistics.ts";
import type { ScalarValues } from "../filters/filter.ts";

/** The values of a scalar of f32 in host memory: read where they are, once for each thing that is asked of them. */
export function hostValues(grid: Grid, { data, centering }: Field): ScalarValues {
  const values = data as Float32Array;
  let found: Statistics | undefined;
  let selection: Selection | undefined;
  return {
    async statistics() {
      found ??= statistics(values);
      return found;
    },
    quantile(p) {
      selection ??= selectionIn(values);
      return quantileOf(selection, p);
    },
    counts: async (range, bins) => countsIn(values, 1, range, bins),
    async positionOf(value) {
      return valuePosition(grid, centering, values.indexOf(value));
    },
  };
}
