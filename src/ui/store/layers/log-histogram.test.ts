import { expect, test } from "vitest";
import { logHistogramOf } from "./log-histogram.ts";

test("positive values are counted over their logarithms", async () => {
  const asked: string[] = [];
  const engine = {
    histogram: async (expression: string) => {
      asked.push(expression);
      return { min: -6, max: 2, counts: [3, 1] };
    },
  };
  expect(await logHistogramOf(engine, '"flow field"[0]')).toEqual({ min: 1e-6, max: 100, counts: [3, 1] });
  expect(asked).toEqual(['log10("flow field"[0])']);
});

test("a field without positive values has no such histogram", async () => {
  const engine = { histogram: async () => ({ min: Number.NaN, max: Number.NaN, counts: [] }) };
  expect(await logHistogramOf(engine, "f")).toBeUndefined();
});
