import { expect, it } from "vitest";
import { binOf, edgesOf, evenBins } from "./histogram.ts";

it("cuts ranges into equal parts", () => {
  const quarters = evenBins("f32", 0, 1, 4);
  expect([0, 0.24, 0.25, 0.5, 0.75, 1 - 2 ** -24, 1, -1e-30].map((x) => binOf(quarters, x))).toEqual([
    0, 0, 1, 2, 3, 3, -1, -1,
  ]);
  expect([2 ** -149, -(2 ** -149), -0, Number.NaN].map((x) => binOf(quarters, x))).toEqual([0, 0, 0, -1]);
  const all = evenBins("u32", 0, 2 ** 32, 256);
  expect([0, 2 ** 24 - 1, 2 ** 24, 2 ** 31 - 1, 2 ** 32 - 1].map((x) => binOf(all, x))).toEqual([
    0, 0, 1, 127, 255,
  ]);
  const halves = evenBins("i32", -1.5, 2.5, 4);
  expect([-2, -1, 0, 1, 2, 3].map((x) => binOf(halves, x))).toEqual([-1, 0, 1, 2, 3, -1]);
  expect(binOf(evenBins("u32", -10, 10, 2), 0)).toBe(1);
  expect(binOf(evenBins("u32", 4e9, 4e9 + 16, 16), 4e9 + 7)).toBe(7);
});

it("makes edges elements of the type", () => {
  expect([...edgesOf("u32", [-3, -1, 0.5, 2, 2 ** 32, 2 ** 33])]).toEqual([0, 0, 1, 2]);
  expect([...edgesOf("i32", [Number.NEGATIVE_INFINITY, -0.5, Number.POSITIVE_INFINITY])]).toEqual([
    -(2 ** 31),
    0,
  ]);
  expect([...edgesOf("f32", [0.1, 0.1 + 1e-12])]).toEqual([Math.fround(0.1), Math.fround(0.1)]);
});

it("refuses bins and edges that make no sense", () => {
  for (const [low, high, bins] of [
    [0, 1, 0],
    [0, 1, 1.5],
    [1, 1, 4],
    [2, 1, 4],
    [Number.NaN, 1, 4],
    [0, Number.POSITIVE_INFINITY, 4],
    [-3e38, 3e38, 4],
    [0, 2e-38, 4],
  ]) {
    expect(() => evenBins("f32", low, high, bins), `${bins} bins in [${low}, ${high})`).toThrow("histogram");
  }
  for (const edges of [[], [1], [1, 1], [2, 1], [0, Number.NaN], [Number.NaN, 0]]) {
    expect(() => edgesOf("f32", edges), `edges ${edges}`).toThrow("histogram");
  }
});
