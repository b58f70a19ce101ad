import { countsIn } from "../../core/histogram.ts";
import { unattended } from "../../core/job.ts";
import { quantileOf, selectionIn } from "../../core/order-statistics.ts";
import { statistics } from "../../core/statistics.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import type { GpuField } from "../../gpu/fields/gpu-field.ts";
import { uploadField } from "../../gpu/fields/upload.ts";
import { histogram } from "../../gpu/statistics/histogram.ts";
import { selectionOn } from "../../gpu/statistics/selection.ts";
import { fieldStatistics } from "../../gpu/statistics/statistics.ts";
import type { BenchCase } from "../case.ts";
import { timeAsync } from "../measure.ts";
import { tangleField, uniformGrid } from "./fields.ts";

/** Looks at n³ values, the read-backs of the result included; `passes` over them at least. */
function lookCase<Result>(
  name: string,
  passes: number,
  look: (gpu: GpuContext, field: GpuField) => Promise<Result>,
  verify: (found: Result, values: Float32Array) => boolean | Promise<boolean>,
): BenchCase {
  return {
    name: `${name}/256`,
    async run({ gpu, isQuick, n = isQuick ? 64 : 256 }) {
      const grid = uniformGrid([n, n, n], -3, 6);
      const host = tangleField(grid);
      const field = await uploadField(gpu, grid, host, unattended);
      try {
        const ms = await timeAsync(gpu, () => look(gpu, field));
        const verified = await verify(await look(gpu, field), host.data as Float32Array);
        return { n: n ** 3, ms, bytes: 4 * passes * n ** 3, verified };
      } finally {
        field.buffer.release();
      }
    },
  };
}

const range = [-20, 500] as const;
const bins = 256;

export const statisticsCases: readonly BenchCase[] = [
  lookCase("statistics", 1, fieldStatistics, (got, values) => {
    const due = statistics(values);
    return (
      got.min === due.min &&
      got.max === due.max &&
      got.nan === 0 &&
      Math.abs(got.mean - due.mean) < 1e-5 * (due.max - due.min)
    );
  }),
  lookCase(
    "statistics/histogram",
    1,
    (gpu, field) => histogram(gpu, field, range, bins),
    (got, values) => {
      const due = countsIn(values, 1, range, bins);
      return got.every((count, k) => count === due[k]);
    },
  ),
  lookCase(
    "statistics/median",
    4,
    (gpu, field) => quantileOf(selectionOn(gpu, field), 0.5),
    async (got, values) => got === (await quantileOf(selectionIn(values), 0.5)),
  ),
];
