import { expect, test } from "vitest";
import { scaleNote } from "./scale-note.ts";

test("a scale says where it begins, where it is linear, and what becomes of 0", () => {
  const density = { min: 0, max: 3.4e-4 };
  expect(scaleNote("linear", density, density)).toBeUndefined();
  expect(scaleNote("log", { min: 3.4e-10, max: 3.4e-4 }, density)).toBe(
    "Colours begin at 3.4e-10, a millionth of the largest value shown. Values of 0 and below have the lowest colour.",
  );
  expect(scaleNote("log", { min: 1e-7, max: 3.4e-4 }, density)).toBe(
    "Values of 0 and below have the lowest colour.",
  );
  expect(scaleNote("log", { min: 2, max: 7 }, { min: 2, max: 7 })).toBeUndefined();
  expect(scaleNote("log", { min: -5, max: 0 }, { min: -5, max: 0 })).toBe(
    "No value shown is above 0, so the colours are linear.",
  );
  expect(scaleNote("symlog", { min: -2, max: 50 }, { min: -2, max: 50 })).toBe(
    "Linear between −0.05 and 0.05, a thousandth of the largest value shown; logarithmic beyond.",
  );
});
