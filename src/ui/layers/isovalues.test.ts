import { expect, test } from "vitest";
import { addedAlong, addedIsovalue } from "./isovalues.ts";

test("another isovalue lies in the widest gap", () => {
  expect(addedIsovalue([2], { min: 0, max: 10 })).toBe(6);
  expect(addedIsovalue([6, 2], { min: 0, max: 10 })).toBe(4);
  expect(addedIsovalue([99], { min: 0, max: 10 })).toBe(5);
  expect(addedAlong([1, 0], { kind: "log", low: 1e-2, high: 1e4 })).toBe(100);
});
