import { expect, it } from "vitest";
import { drawFigure } from "../evaluation/chart.ts";
import { growthFigures } from "./figures.ts";

const row = (name: string, n: number, ms: number, verified = true) => ({
  name,
  n,
  ms,
  gbs: 1,
  ratioToCopy: 1,
  verified,
});

it("draws the sizes of each case as a curve, those alone that were right", () => {
  const figures = growthFigures([
    row("isosurface/512", 512 ** 3, 0.26),
    row("isosurface/64", 64 ** 3, 0.04),
    row("isosurface/first/512", 512 ** 3, 0.5),
    row("isosurface/composed/64", 64 ** 3, 2),
    row("isosurface/soup/128", 128 ** 3, 0.05),
    row("kd-tree/build_16", 2 ** 16, 1),
    row("kd-tree/build_24_lone_512", 2 ** 24, 15),
    row("kd-tree/knn8_17", 2 ** 17, 0.3, false),
  ]);
  expect(figures.map(({ figure }) => figure.panels[0].series.map(({ points }) => points))).toEqual([
    [
      [[0.262144, 2]],
      [[2.097152, 0.05]],
      [
        [0.262144, 0.04],
        [134.217728, 0.26],
      ],
    ],
    [[[0.065536, 1]], []],
  ]);
  for (const { figure } of figures) expect(drawFigure(figure)).toContain(figure.title);
});
