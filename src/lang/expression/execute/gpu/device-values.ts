import { firstElement } from "../../../../algorithms/statistics/first-element.ts";
import { histogram } from "../../../../algorithms/statistics/histogram.ts";
import { quantileOf, Selection } from "../../../../algorithms/statistics/selection.ts";
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
    quantile: (p) =>
      look((values) => {
        selection ??= new Selection(values);
        return quantileOf(selection, p);
      }),
    counts: (range, bins) => look((values) => histogram(values, range, bins)),
    async positionOf(value) {
      const first = await look((values) => firstElement(values, value));
      return valuePosition(grid, field.centering, first ?? 0);
    },
  };
}
