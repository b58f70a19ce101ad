import { expect, test } from "vitest";
import { atOffset, axisOf, normalized, planeOffset } from "./plane-math.ts";

const bounds = [0, 2, 0, 4, 0, 6] as const;

test("a plane's offset is measured from the box's middle, along its normal at length 1", () => {
  const plane = { origin: [1, 3, 3], normal: [0, 5, 0] } as const;
  expect(planeOffset(plane, bounds)).toEqual({ value: 1, min: -2, max: 2 });
  expect(atOffset(plane, bounds, -2).origin).toEqual([1, 0, 3]);
  const tilted = { origin: [1, 2, 3], normal: [1, 1, 0] } as const;
  expect(planeOffset(tilted, bounds).max).toBeCloseTo(3 / Math.SQRT2);
  expect(planeOffset(atOffset(tilted, bounds, 0.7), bounds).value).toBeCloseTo(0.7);
});

test("directions along an axis are recognized", () => {
  expect([[0, 0, -2] as const, [1, 0, 1e-3] as const].map(axisOf)).toEqual([2, undefined]);
  expect(normalized([0, 0, 0])).toEqual([1, 0, 0]);
});
