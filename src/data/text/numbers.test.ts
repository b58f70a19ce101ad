import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isNaNText, parseNumber } from "./numbers.ts";

const encoder = new TextEncoder();
/** Parses `text` out of the middle of other bytes. */
function parse(text: string): number {
  const bytes = encoder.encode(`7${text}7`);
  return parseNumber(bytes, 1, bytes.length - 1);
}

describe("every way to write a number gives the f64 that JavaScript gives", () => {
  test("shortest forms", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (x) =>
        Object.is(parse(String(x)), Number(String(x))),
      ),
      { numRuns: 2000 },
    );
  });

  test("fixed and exponential forms of 1 to 21 digits", () => {
    const numbers = fc.double({ min: -1e6, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(numbers, fc.integer({ min: 0, max: 20 }), (x, digits) => {
        for (const text of [x.toFixed(digits), x.toExponential(digits), x.toPrecision(digits + 1)]) {
          expect(Object.is(parse(text), Number(text)), text).toBe(true);
        }
      }),
      { numRuns: 2000 },
    );
  });

  test("digits at random, and half-way cases", () => {
    const digits = fc.stringMatching(/^\d{1,22}(\.\d{0,22})?(e-?\d{1,2})?$/);
    fc.assert(
      fc.property(digits, (text) => Object.is(parse(text), Number(text))),
      { numRuns: 5000 },
    );
    for (const text of [
      "9007199254740993",
      "9007199254740993.0",
      "0.5000000000000000277",
      "1.00000000000000011102",
      "4503599627370496.5",
      "4503599627370497.5",
    ]) {
      expect(parse(text), text).toBe(Number(text));
    }
  });
});

test.each([
  ["+1.5", 1.5],
  ["-0", -0],
  [".5", 0.5],
  ["5.", 5],
  ["1E+05", 1e5],
  ["1e-400", 0],
  ["1e400", Number.POSITIVE_INFINITY],
  ["inf", Number.POSITIVE_INFINITY],
  ["-INFINITY", Number.NEGATIVE_INFINITY],
  ["-1.#INF", Number.NEGATIVE_INFINITY],
  ["0x10", Number.NaN],
  ["1e", Number.NaN],
  ["1e+", Number.NaN],
  ["1.2.3", Number.NaN],
  ["--1", Number.NaN],
  ["1e5x", Number.NaN],
  ["1,5", Number.NaN],
  [".", Number.NaN],
  ["-", Number.NaN],
  ["", Number.NaN],
])("%s", (text, value) => {
  expect(parse(text)).toBe(value);
});

test("texts for not-a-number", () => {
  expect(["nan", "NaN", "-nan", "nan(ind)", "-1.#IND", "1.#QNAN"].every(isNaNText)).toBe(true);
  expect(["", "na", "nanx", "inf", "1.#"].some(isNaNText)).toBe(false);
});
