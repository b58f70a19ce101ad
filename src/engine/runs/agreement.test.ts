import { expect, it } from "vitest";
import { largestDifference } from "./agreement.ts";

const fields = (...values: number[]) => new Map([["f", Float32Array.from(values)]]);

it("is 0 between equal values, NaN and infinities included", () => {
  const values = [1, Number.NaN, Number.NEGATIVE_INFINITY, 0];
  expect(largestDifference(fields(...values), fields(...values))).toBe(0);
  expect(largestDifference(fields(0, 1, 2, -0), fields(-0, 1, 2, 0))).toBe(0);
});

it("is a share of the largest magnitude", () => {
  expect(largestDifference(fields(1, 2, 3, -8), fields(1, 2, 3.5, -8))).toBe(0.5 / 8);
  expect(largestDifference(fields(0, 0.25, 0, 0), fields(0, 0, 0, 0))).toBe(0.25);
});

it("is infinite where only one value is finite, or one is missing", () => {
  expect(largestDifference(fields(1, 2, 3, Number.NaN), fields(1, 2, 3, 4))).toBe(Number.POSITIVE_INFINITY);
  expect(largestDifference(fields(1, 2, 3, 4), fields(1, 2, 3, Number.NaN))).toBe(Number.POSITIVE_INFINITY);
  expect(largestDifference(new Map(), fields(1, 2, 3, 4))).toBe(Number.POSITIVE_INFINITY);
});
