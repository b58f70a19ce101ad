import { expect, it } from "vitest";
import { drawFigure } from "../evaluation/chart.ts";
import { isingFigure, relativeFigure, timesFigure } from "./figures.ts";

const row = (name: string, ms: number, verified = true) => ({ name, n: 1, ms, verified });

const rows = [
  row("hypercube/flip_x/4096²", 2),
  row("hypercube/flip_x/4096² by hand", 3),
  row("hypercube/flip_x/256²", 0.5),
  row("hypercube/flip_x/256² by hand", 0.5, false),
  row("hypercube/flip_x/5000²", 4),
  row("hypercube/flip_x/5000² by hand", 5),
  row("hypercube/flip_x/4096² from a texture", 7),
  row("hypercube/flip_x/512³", 9),
  row("hypercube/cpu/flip_x/256²", 100),
  row("lattice/ising/256² T=2.1", 1),
  row("lattice/ising/300² T=2.1", 2),
  row("lattice/ising/8192² T=2.269", 3),
];

/** The points of each curve that has some, panel by panel. */
const pointsOf = ({ panels }: ReturnType<typeof isingFigure>) =>
  panels.map(({ series }) => series.map(({ points }) => points).filter((points) => points.length > 0));

it("compares kernels with those written by hand where both were right, by kind of length", () => {
  const figure = relativeFigure(rows);
  expect(pointsOf(figure)).toEqual([[[[5000, 1.25]]], [[[4096, 1.5]]]]);
  expect(drawFigure(figure)).toContain("by hand");
});

it("draws times of squares by side, of both kinds of lengths, by hand and on a CPU", () => {
  expect(pointsOf(timesFigure(rows))[1]).toEqual([
    [[5000, 4]],
    [
      [256, 0.5],
      [4096, 2],
    ],
    [
      [4096, 3],
      [5000, 5],
    ],
    [[256, 100]],
  ]);
  expect(pointsOf(isingFigure(rows))).toEqual([[[[300, 2]], [[256, 1]]]]);
});
