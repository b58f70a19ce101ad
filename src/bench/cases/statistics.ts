import { unattended } from "../../core/job.ts";
import { statistics } from "../../core/statistics.ts";
import { fieldStatistics } from "../../gpu/algorithms/statistics/statistics.ts";
import { uploadField } from "../../gpu/fields/upload.ts";
import type { BenchCase } from "../case.ts";
import { timeAsync } from "../measure.ts";
import { tangleField, uniformGrid } from "./fields.ts";

/** Range and mean of n³ values, the read-back of the result included. */
export const statisticsCase: BenchCase = {
  name: "statistics/256",
  async run({ gpu, isQuick, n = isQuick ? 64 : 256 }) {
    const grid = uniformGrid([n, n, n], -3, 6);
    const host = tangleField(grid);
    const field = await uploadField(gpu, grid, host, unattended);
    try {
      const ms = await timeAsync(() => fieldStatistics(gpu, field));
      const got = await fieldStatistics(gpu, field);
      const due = statistics(host.data);
      const verified =
        got.min === due.min &&
        got.max === due.max &&
        got.nan === 0 &&
        Math.abs(got.mean - due.mean) < 1e-5 * (due.max - due.min);
      return { n: n ** 3, ms, bytes: 4 * n ** 3, verified };
    } finally {
      field.buffer.release();
    }
  },
};
