import { histogram } from "../../algorithms/statistics/histogram.ts";
import { hostHistogram, hostStatistics, hostValues } from "../../algorithms/statistics/host.ts";
import { digitsOf, quantileOf, Selection } from "../../algorithms/statistics/selection.ts";
import { fieldStatistics } from "../../algorithms/statistics/statistics.ts";
import { noJob } from "../../core/job.ts";
import type { FieldValues } from "../../core/statistics.ts";
import { createCpuEach } from "../../cpu/primitives/each-primitives.ts";
import { uploadField } from "../../gpu/fields/upload.ts";
import { fieldValues } from "../../gpu/primitives/field-values.ts";
import { withPrimitives } from "../../gpu/primitives/with-primitives.ts";
import type { BenchCase } from "../case.ts";
import { timeAsync } from "../measure.ts";
import { tangleField, uniformGrid } from "./fields.ts";

const host = createCpuEach();

/** Looks at n³ values, the read-backs of the result included; `passes` over them at least. */
function lookCase<Result>(
  name: string,
  passes: number,
  look: (values: FieldValues) => Promise<Result>,
  verify: (found: Result, values: Float32Array) => boolean | Promise<boolean>,
): BenchCase {
  return {
    name: `${name}/256`,
    async run({ gpu, isQuick, n = isQuick ? 64 : 256 }) {
      const grid = uniformGrid([n, n, n], -3, 6);
      const { data, ...rest } = tangleField(grid);
      const field = await uploadField(gpu, grid, { data, ...rest }, noJob);
      const measured = () => withPrimitives(gpu, (primitives) => look(fieldValues(primitives, field)));
      try {
        const ms = await timeAsync(gpu, measured);
        const verified = await verify(await measured(), data as Float32Array);
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
  lookCase("statistics", 1, fieldStatistics, async (got, values) => {
    const expected = await hostStatistics(host, values, 1);
    return (
      got.min === expected.min &&
      got.max === expected.max &&
      got.nan === 0 &&
      Math.abs(got.mean - expected.mean) < 1e-5 * (expected.max - expected.min)
    );
  }),
  lookCase(
    "statistics/histogram",
    1,
    (values) => histogram(values, range, bins),
    async (got, values) => {
      const expected = await hostHistogram(host, values, 1, range, bins);
      return got.every((count, k) => count === expected[k]);
    },
  ),
  lookCase(
    "statistics/median",
    3,
    (values) => quantileOf(new Selection(values), 0.5),
    async (got, values) =>
      got === (await quantileOf(new Selection(hostValues(host, values, 1), digitsOf(values)), 0.5)),
  ),
];
