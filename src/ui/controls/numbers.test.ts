import { expect, test } from "vitest";
import { parseNumber, writeNumber } from "./numbers.ts";

test("numbers as people type them", () => {
  expect(parseNumber(" 1.5e-3 ")).toBe(0.0015);
  expect(parseNumber("−2")).toBe(-2);
  for (const text of ["", "  ", "abc", "1,5", "Infinity", "NaN"]) expect(parseNumber(text)).toBeUndefined();
});

test("what is written can be read again", () => {
  for (const value of [0, -1.25, 1e-9, 123456.7]) expect(parseNumber(writeNumber(value))).toBe(value);
  expect(writeNumber(1 / 3)).toBe("0.3333333");
  expect(writeNumber(Number.NaN)).toBe("");
});
