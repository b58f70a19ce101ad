import { type Grid, valuePosition } from "../../../../core/grid.ts";
import { quantileOf, type Selection } from "../../../../core/order-statistics.ts";
import type { Statistics } from "../../../../core/statistics.ts";
import type { GpuContext } from "../../../../gpu/device/context.ts";
import type { GpuField } from "../../../../gpu/fields/gpu-field.ts";
import { firstElement } from "../../../../gpu/statistics/first-element.ts";
import { histogram } from "../../../../gpu/statistics/histogram.ts";
import { selectionOn } from "../../../../gpu/statistics/selection.ts";
import { fieldStatistics } from "../../../../gpu/statistics/statistics.ts";
import type { ScalarValues } from "../../filters/filter.ts";

/** The values of a computed scalar on the device: what comes back is a few KiB for each thing that is asked of them. */
export function deviceValues(gpu: GpuContext, grid: Grid, field: GpuField): ScalarValues {
  let found: Promise<Statistics> | undefined;
  let selection: Selection | undefined;
  return {
    statistics() {
      found ??= fieldStatistics(gpu, field);
      return found;
    },
    quantile(p) {
      selection ??= selectionOn(gpu, field);
      return quantileOf(selection, p);
    },
    counts: (range, bins) => histogram(gpu, field, range, bins),
    async positionOf(value) {
      return valuePosition(grid, field.centering, (await firstElement(gpu, field, value)) ?? 0);
    },
  };
}
