import { expect, test } from "vitest";
import { axesFor, withAxis } from "./shown-axes.ts";

test("an axis that is shown elsewhere changes places with the one that it replaces", () => {
  expect(withAxis([0, 1, 2], 0, 2)).toEqual([2, 1, 0]);
  expect(withAxis([0, 1, 2], 1, 4)).toEqual([0, 4, 2]);
  expect(withAxis([3, 1], 2, 0)).toEqual([3, 1, 0]);
});

test("a place that is left out takes those behind it along, but for the first", () => {
  expect(withAxis([0, 1, 2], 2, undefined)).toEqual([0, 1]);
  expect(withAxis([0, 1, 2], 1, undefined)).toEqual([0]);
});

test("an empty place offers what is shown nowhere", () => {
  expect(axesFor(4, [2, 0], 2)).toEqual([1, 3]);
  expect(axesFor(4, [2, 0], 1)).toEqual([0, 1, 2, 3]);
});
