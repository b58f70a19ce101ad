import { expect, test } from "vitest";
import { scaleValue } from "../../core/scale.ts";
import { rangeOf } from "../testing/fake-engine.ts";
import { logAxis, spansDecades } from "./log-axis.ts";
import { keyedOn } from "./slider-keys.ts";

test("a logarithmic axis is offered where positive values span more than three decades", () => {
  expect(spansDecades(rangeOf(1e-9, 3.4e-4, 1e-5))).toBe(true);
  expect(spansDecades(rangeOf(0.3, 200))).toBe(false);
  expect(spansDecades(rangeOf(0, 580, 9))).toBe(true);
  expect(spansDecades(rangeOf(0, 3, 1.2))).toBe(false);
  expect(spansDecades(rangeOf(-1e-9, 3.4e-4, 1e-6))).toBe(true);
  expect(spansDecades(rangeOf(-2, 5, 0))).toBe(false);
  expect(spansDecades(rangeOf(-2, 0))).toBe(false);
  expect(spansDecades(rangeOf(Number.NaN, Number.NaN))).toBe(false);
});

test("along it an arrow key multiplies, and no value is out of reach", () => {
  const axis = logAxis({ min: 1e-10, max: 3.4e-4, counts: [] })!;
  const right = { key: "ArrowRight", shiftKey: false };
  expect(keyedOn(axis, right, 3e-6)! / 3e-6).toBeCloseTo(3.4e6 ** 0.001, 10);
  expect(keyedOn(axis, { ...right, key: "Home" }, 3e-6)).toBe(1e-10);
  expect(keyedOn(axis, right, 0)).toBeCloseTo(scaleValue(axis, 0.001), 20);
  expect(keyedOn(axis, { ...right, key: "a" }, 3e-6)).toBeUndefined();
  // A slider of 250 pixels moves by less than a tenth of the value for each of them.
  expect(scaleValue(axis, 0.5 + 1 / 250) / scaleValue(axis, 0.5)).toBeLessThan(1.1);
  expect(logAxis({ min: 1, max: 1, counts: [4] })).toBeUndefined();
  expect(logAxis(undefined)).toBeUndefined();
});
