import { describe, expect, it } from "vitest";
import { makeField } from "../../../../core/field.ts";
import { dataSetOf, uniformGrid } from "../testing/data-sets.ts";
import { runOnCpu } from "../testing/evaluate.ts";
import oracle from "../testing/large-offsets.json" with { type: "json" };

const grid = uniformGrid([16, 1, 1]);
const dataSet = dataSetOf(
  grid,
  ...Object.entries(oracle.fields).map(([name, values]) =>
    makeField(grid, name, "node", 1, Float64Array.from(values)),
  ),
);

/** NumPy sums in another order than we do. */
const close = (expected: number) =>
  expect.closeTo(expected, 12 - Math.ceil(Math.log10(Math.abs(expected) + 1)));

describe("expressions on fields with large offsets", () => {
  it.each(oracle.cases)("$text has the values that NumPy computes", async (of) => {
    const { text, values, spread, deviation, third } = of;
    const got = await runOnCpu(
      `r = ${text}; spread = max(${text}) - min(${text}); deviation = stddev(${text}); third = quantile(${text}, 0.3)`,
      dataSet,
    );
    expect([...(got.r as Float64Array)]).toEqual(values);
    expect(got.spread[0]).toBe(spread);
    expect(got.deviation[0]).toEqual(close(deviation));
    expect(got.third[0]).toEqual(close(third));
  });
});
