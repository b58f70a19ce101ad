import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { niceTicks, powerOfTen } from "./ticks.ts";

describe("niceTicks", () => {
  test.each([
    [0, 1, 5, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"], 0],
    [-1, 1, 4, ["−1.0", "−0.5", "0.0", "0.5", "1.0"], 0],
    [0, 6.28, 7, ["0", "1", "2", "3", "4", "5", "6"], 0],
    [0, 25_000, 5, ["0", "5000", "10000", "15000", "20000", "25000"], 0],
    [0, 4e6, 4, ["0", "1", "2", "3", "4"], 6],
    [-2e-9, 3e-9, 5, ["−2", "−1", "0", "1", "2", "3"], -9],
    [0, 1.5e-4, 3, ["0", "50", "100", "150"], -6],
    [1e6, 1e6 + 40, 4, ["1000000", "1000010", "1000020", "1000030", "1000040"], 0],
    [0.9991, 1.0012, 3, ["1.000", "1.001"], 0],
  ])("from %d to %d with at most %d steps", (low, high, most, labels, exponent) => {
    const ticks = niceTicks(low, high, most);
    expect(ticks.labels).toEqual(labels);
    expect(ticks.exponent).toBe(exponent);
  });

  test("none if there is no interval", () => {
    for (const [low, high] of [
      [1, 1],
      [2, 1],
      [Number.NaN, 1],
      [0, Number.POSITIVE_INFINITY],
      [1e15, 1e15 + 1],
    ]) {
      expect(niceTicks(low, high, 5).values).toEqual([]);
    }
  });

  test("ticks lie within, equally spaced, few, and read as what they are", () => {
    const interval = fc.tuple(
      fc.double({ min: -1, max: 1, noNaN: true }),
      fc.double({ min: 1e-3, max: 1, noNaN: true }),
      fc.integer({ min: -30, max: 30 }),
      fc.integer({ min: 1, max: 12 }),
    );
    fc.assert(
      fc.property(interval, ([start, length, power, most]) => {
        const low = start * 10 ** power;
        const span = length * 10 ** power;
        const { values, labels, exponent } = niceTicks(low, low + span, most);
        expect(values.length).toBeLessThanOrEqual(most + 1);
        for (const [i, value] of values.entries()) {
          expect(value).toBeGreaterThanOrEqual(low - 1e-5 * span);
          expect(value).toBeLessThanOrEqual(low + span * (1 + 1e-5));
          const read = Number(labels[i].replace("−", "-")) * 10 ** exponent;
          expect(Math.abs(read - value)).toBeLessThanOrEqual(1e-9 * (Math.abs(value) + span));
        }
        expect(new Set(labels).size).toBe(labels.length);
      }),
    );
  });
});

test("powerOfTen writes superscripts", () => {
  expect([powerOfTen(0), powerOfTen(6), powerOfTen(-12)]).toEqual(["", "10⁶", "10⁻¹²"]);
});
