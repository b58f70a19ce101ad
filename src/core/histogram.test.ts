import { expect, it } from "vitest";
import { entropyOf } from "./histogram.ts";

it("has an entropy in bits: log₂ n of n equal parts, 0 of one part", () => {
  expect(entropyOf([5, 5, 5, 5, 0])).toBe(2);
  expect(entropyOf([0, 7, 0])).toBe(0);
  // −¾ log₂ ¾ − ¼ log₂ ¼ = 2 − ¾ log₂ 3
  expect(entropyOf([3, 1])).toBeCloseTo(2 - 0.75 * Math.log2(3), 15);
  expect(entropyOf([0, 0])).toBeNaN();
});
