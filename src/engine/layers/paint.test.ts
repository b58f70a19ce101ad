import { expect, test } from "vitest";
import type { LayerPaint } from "../../core/layers.ts";
import { colorRange } from "./paint.ts";

const paint: LayerPaint = {
  map: "viridis",
  reversed: false,
  range: "surface",
  nanColor: "#888888",
  solid: "#6699cc",
  opacity: 1,
};
const statistics = { min: 0, max: 22.7, mean: 1, nan: 0, infinite: 0, count: 100 };

test("colours span what is shown, but are one where that is only rounding", () => {
  expect(colorRange(paint, statistics, [1, 8.78])).toEqual([1, 8.78]);
  expect(colorRange(paint, statistics, [3.5, 3.5 + 2 ** -21])).toEqual([3.5 + 2 ** -22, 3.5 + 2 ** -22]);
  expect(colorRange(paint, statistics, [0, 0])).toEqual([0, 0]);
  expect(colorRange(paint, statistics, undefined)).toEqual([0, 22.7]);
  expect(colorRange({ ...paint, range: [3.6, 3.6] }, statistics, [1, 8.78])).toEqual([3.6, 3.6]);
});

test("a diverging map has its middle at 0, where both signs are shown and no range is set", () => {
  const psi = { ...statistics, min: -0.4, max: 1.2 };
  const diverging = { ...paint, map: "coolwarm", range: undefined };
  expect(colorRange(diverging, psi, undefined)).toEqual([-1.2, 1.2]);
  expect(colorRange({ ...diverging, range: "surface" }, psi, [-0.3, 0.1])).toEqual([-0.3, 0.3]);
  expect(colorRange({ ...diverging, range: [-0.4, 1.2] }, psi, undefined)).toEqual([-0.4, 1.2]);
  expect(colorRange(diverging, { ...psi, min: 0.1 }, undefined)).toEqual([0.1, 1.2]);
  expect(colorRange({ ...diverging, map: "viridis" }, psi, undefined)).toEqual([-0.4, 1.2]);
});

test("pressures about a large mean keep their range", () => {
  const pressure = { ...statistics, min: 101_320, max: 101_330 };
  expect(colorRange(paint, pressure, [101_324, 101_326])).toEqual([101_324, 101_326]);
});
