import { expect, test } from "vitest";
import { keyedValue } from "./slider-keys.ts";

const range = { min: -10, max: 90 };
const press = (key: string, value = 40, shiftKey = false) => keyedValue({ key, shiftKey }, value, range);

test("arrows step by a thousandth of the range, with Shift by a tenth of that, pages by a twentieth", () => {
  expect(press("ArrowRight")).toBeCloseTo(40.1);
  expect(press("ArrowDown")).toBeCloseTo(39.9);
  expect(press("ArrowUp", 40, true)).toBeCloseTo(40.01);
  expect(press("PageUp")).toBe(45);
  expect(press("PageDown")).toBe(35);
});

test("values stay within the range", () => {
  expect(press("Home")).toBe(-10);
  expect(press("End")).toBe(90);
  expect(press("ArrowRight", 90)).toBe(90);
  expect(press("PageDown", -8)).toBe(-10);
  expect(press("ArrowLeft", 500)).toBe(90);
});

test("other keys are not the slider's", () => {
  expect(press("Tab")).toBeUndefined();
  expect(press("toString")).toBeUndefined();
});
