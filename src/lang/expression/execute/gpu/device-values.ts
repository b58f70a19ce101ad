import type { Selection } from "../../../../algorithms/statistics/selection.ts";
import { fieldStatistics } from "../../../../algorithms/statistics/statistics.ts";
import { type Grid, valuePosition } from "../../../../core/grid.ts";
import type { FieldValues, Statistics } from "../../../../core/statistics.ts";
import type { GpuContext } from "../../../../gpu/device/context.ts";
import type { GpuField } from "../../../../gpu/fields/gpu-field.ts";
import { fieldValues } from "../../../../gpu/primitives/field-values.ts";
import { withPrimitives } from "../../../../gpu/primitives/with-primitives.ts";
import type { ScalarValues } from "../../filters/filter.ts";

/** The values of a computed scalar on the device: what comes back is a few KiB for each thing that is asked of them. */
export function deviceValues(gpu: GpuContext, grid: Grid, field: GpuField): ScalarValues {
  const look = <R>(at: (values: FieldValues) => Promise<R>): Promise<R> =>
    withPrimitives(gpu, (primitives) => at(fieldValues(primitives, field)));
  let found: Promise<Statistics> | undefined;
  let selection: Selection | undefined;
  return {
    statistics() {
      found ??= look(fieldStatistics);
      return found;
    },
    // Few texts ask for the following: what answers them is loaded with the first.
    async quantile(p) {
      const { quantileOf, Selection } = await import("../../../../algorithms/statistics/selection.ts");
      return look((values) => {
        selection ??= new Selection(values);
        return quantileOf(selection, p);
      });
    },
    async counts(range, bins) {
      const { histogram } = await import("../../../../algorithms/statistics/histogram.ts");
      return look((values) => histogram(values, range, bins));
    },
    async positionOf(value) {
      const { firstElement } = await import("../../../../algorithms/statistics/first-element.ts");
      const first = await look((values) => firstElement(values, value));
      return valuePosition(grid, field.centering, first ?? 0);
    },
  };
}
