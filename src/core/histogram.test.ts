import { expect, it } from "vitest";
import { binEdges, countsIn, entropyOf } from "./histogram.ts";

it("has the counts that its edges say, where a quotient would round across them", () => {
  // numpy.histogram(numpy.float32(numpy.arange(12) * 0.1).astype("f8"), 11), numpy 2.4.6
  const data = Float32Array.from({ length: 12 }, (_, i) => i * 0.1);
  const range = [data[0], data[11]] as const;
  expect([...countsIn(data, 1, range, 11)]).toEqual([2, 1, 0, 2, 1, 0, 2, 1, 1, 1, 1]);
  const edges = binEdges(range, 11);
  expect(edges).toHaveLength(12);
  expect(edges[11]).toBe(data[11]);
  expect(edges[3]).toBeCloseTo(0.3, 7);
});

it("has an entropy in bits: log₂ n of n equal parts, 0 of one part", () => {
  expect(entropyOf([5, 5, 5, 5, 0])).toBe(2);
  expect(entropyOf([0, 7, 0])).toBe(0);
  // −¾ log₂ ¾ − ¼ log₂ ¼ = 2 − ¾ log₂ 3
  expect(entropyOf([3, 1])).toBeCloseTo(2 - 0.75 * Math.log2(3), 15);
  expect(entropyOf([0, 0])).toBeNaN();
});
