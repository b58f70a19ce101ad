import { describe, expect, it } from "vitest";
import { quantileOf, selectionIn, sortableBits, valueOfSortableBits } from "./order-statistics.ts";

const quantile = (values: readonly number[], p: number) =>
  quantileOf(selectionIn(Float32Array.from(values)), p);

describe("quantiles", () => {
  const data = [3, -1.5, 8, 0.25, 8, 2, -7, 100, 0, 1e-3];

  // numpy.quantile(numpy.float32(data).astype("f8"), p), numpy 2.4.6
  it.each([
    [0, -7],
    [0.1, -2.05],
    [0.25, 0.0002500000118743628],
    [0.5, 1.125],
    [0.75, 6.75],
    [0.9, 17.199999999999978],
    [0.95, 58.59999999999996],
    [1, 100],
  ])("at %d", async (p, due) => {
    expect(await quantile(data, p)).toBeCloseTo(due, 12);
  });

  it("leave out NaN and infinities", async () => {
    const { NaN: nan, POSITIVE_INFINITY: high, NEGATIVE_INFINITY: low } = Number;
    expect(await quantile([low, 1, nan, 2, high, 4, -nan], 0.5)).toBe(2);
    expect(await quantile([low, nan, high], 0.5)).toBeNaN();
    expect(await quantile([], 0.5)).toBeNaN();
  });

  it("of many values are those of the sorted ones", async () => {
    let state = 1;
    const values = Float32Array.from({ length: 5000 }, () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      // Many magnitudes, both signs, many equal.
      return ((state % 997) - 498) * 10 ** ((state >>> 20) % 40) * 1e-20;
    });
    const sorted = values.slice().sort();
    const selection = selectionIn(values);
    for (const rank of [0, 1, 17, 2499, 2500, 4998, 4999]) {
      expect(await selection.valueOf(rank)).toBe(sorted[rank] + 0);
    }
  });

  it("counts each digit once", async () => {
    const selection = selectionIn(Float32Array.of(1, 2, 3));
    expect([await quantileOf(selection, 0.5), await quantileOf(selection, 0.5)]).toEqual([2, 2]);
  });
});

it("sortable bits have the values' order, and give them back", () => {
  const values = [
    Number.NEGATIVE_INFINITY,
    -3e38,
    -1,
    -1e-45,
    -0,
    0,
    1e-45,
    1,
    3e38,
    Number.POSITIVE_INFINITY,
  ];
  const singles = Float32Array.from(values);
  const keys = Array.from(new Uint32Array(singles.buffer), sortableBits);
  expect(keys).toEqual([...keys].sort((a, b) => a - b));
  expect(keys.map(valueOfSortableBits)).toEqual([...singles]);
});
