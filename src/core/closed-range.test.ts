import { expect, it } from "vitest";
import { checkRange, rangeInF32 } from "./closed-range.ts";

it("takes the f32 in a closed range, and no others", () => {
  expect(rangeInF32([1, 2], 0)).toEqual([1, 2]);
  expect(rangeInF32([100001, 100002.5], 1e5)).toEqual([1, 2.5]);
  const [low, high] = rangeInF32([0.1, 0.3], 0);
  expect(low).toBeGreaterThanOrEqual(0.1);
  expect(low - 0.1).toBeLessThan(1e-8);
  expect(high).toBeLessThanOrEqual(0.3);
  expect(0.3 - high).toBeLessThan(3e-8);
});

it("reaches the ends of f32, and is empty beyond or where the ends are swapped", () => {
  const most = (2 - 2 ** -23) * 2 ** 127;
  expect(rangeInF32([Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY], 5)).toEqual([-most, most]);
  expect(rangeInF32([-1e300, 0], 0)).toEqual([-most, 0]);
  expect(rangeInF32([1e300, 1e301], 0)).toEqual([1, 0]);
  expect(rangeInF32([-1e301, -1e300], 0)).toEqual([1, 0]);
  expect(rangeInF32([2, 1], 0)).toEqual([1, 0]);
});

it("needs numbers", () => {
  expect(() => checkRange([0, Number.NaN])).toThrow("not a number");
  expect(() => checkRange([0, Number.POSITIVE_INFINITY])).not.toThrow();
});
