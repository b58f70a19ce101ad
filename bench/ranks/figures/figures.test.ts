import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { drawFigure } from "../../evaluation/chart.ts";
import type { Measured, MeasuredRanks } from "../measured.ts";
import { lineOf } from "../prediction.ts";
import { computingFigure, scalingFigure } from "./by-ranks.ts";
import { sizesFigure } from "./by-size.ts";
import { measuredFigures } from "./measured-figures.ts";
import { measuredTables } from "./measured-tables.ts";

const row = (name: string, n: number, ranks: number, ms: number): Measured => ({
  name,
  n,
  ranks,
  ms,
  sentBytes: 0,
});

it("labels points of strong and weak scaling with parallel efficiency", () => {
  const figure = computingFigure([
    row("isosurface, fused, strong", 256, 1, 8),
    row("isosurface, fused, strong", 256, 2, 5),
    row("isosurface, fused, strong", 256, 4, 2),
    row("Q-criterion, fused, weak", 256, 1, 3),
    row("Q-criterion, fused, weak", 256, 2, 4),
  ]);
  expect(figure.panels.map(({ series }) => series.map(({ labels }) => labels?.texts))).toEqual([
    [["", "0.80", "1.00"]],
    [["", "0.75"]],
  ]);
});

it("says from which size on ranks are faster than one", () => {
  const sorts = [row("sort", 1024, 1, 1), row("sort", 1024, 2, 2), row("sort", 2048, 1, 4)];
  const title = (rows: readonly Measured[]) => sizesFigure(rows).panels[1].title;
  expect(title(sorts)).toBe("sort of u32: no break-even");
  expect(title([...sorts, row("sort", 2048, 4, 3)])).toBe("sort of u32: 4 ranks faster from 2¹¹ on");
});

it("draws the largest problem that most numbers of ranks had", () => {
  const trees = (n: number, counts: readonly number[]) =>
    counts.map((ranks) => row("KD-tree, subtrees fused", n, ranks, 8 / ranks));
  const [, , , panel] = scalingFigure([
    ...trees(1024, [1, 2, 4]),
    ...trees(2048, [1, 2, 4]),
    ...trees(4096, [2, 4]),
  ]).panels;
  expect(panel.title).toBe("KD-tree, 2¹¹");
  expect(panel.series[1].points).toEqual([
    [1, 8],
    [2, 4],
    [4, 2],
  ]);
  expect(panel.series[1].labels?.texts).toEqual(["", "1.00", "1.00"]);
});

it("leaves out figures and panels that nothing was measured for", () => {
  const figures = measuredFigures([row("sort", 1024, 1, 1), row("sort", 1024, 2, 2)]);
  expect(Object.entries(figures).map(([name, { panels }]) => [name, panels.length])).toEqual([
    ["scaling", 1],
    ["sizes", 1],
  ]);
});

it("draws the composed Q-criterion on one rank alone, in blocks and over one long vector", () => {
  const rows = [
    row("Q-criterion, composed, manual", 256, 1, 4),
    row("Q-criterion, composed, manual", 256, 2, 3),
    row("Q-criterion, composed, distributed", 256, 2, 8),
    row("Q-criterion, composed, kept halos", 256, 2, 5),
  ];
  const figures = measuredFigures(rows);
  expect(Object.keys(figures)).toEqual(["scaling", "q-criterion"]);
  const [panel] = figures["q-criterion"].panels;
  expect(panel.series.map(({ points }) => points)).toEqual([[[256, 4]], [[256, 3]], [[256, 8]], [[256, 5]]]);
  expect(measuredTables(rows)).toContain("| composed Q-criterion, 256³ | 4 |  | 3 | 8 |");
});

it("has a column for each number of ranks in tables", () => {
  const [fused, forms] = measuredTables([
    row("isosurface, fused, weak, end to end", 256, 1, 6),
    row("isosurface, fused, weak, end to end", 256, 2, 8),
    row("sort, manual", 1024, 1, 1),
    row("sort, manual", 1024, 2, 0.5),
    row("sort", 1024, 2, 3),
  ]).split("\n\n");
  expect(fused).toContain("| isosurface, fused, weak, end to end, 256³ | 6 | 8 | 0.75 |");
  expect(forms).toContain("| sort, 2¹⁰ | 1 |  | 0.5 | 3 |");
});

it("takes a line through the shortest time and the one of the largest size", () => {
  const line = [
    [10, 3],
    [20, 2],
    [100, 7],
  ] as const;
  expect(lineOf(line)).toEqual({ fixedMs: 2, perElementMs: 0.05 });
});

it("has drawn the documents' figures from the measurements beside them", () => {
  const { rows } = JSON.parse(readFileSync("docs/figures/ranks.json", "utf8")) as MeasuredRanks;
  const page = readFileSync("docs/distributed.md", "utf8");
  for (const [name, figure] of Object.entries(measuredFigures(rows))) {
    expect(drawFigure(figure), name).toBe(readFileSync(`docs/figures/ranks-${name}.svg`, "utf8"));
    expect(page).toContain(`figures/ranks-${name}.svg`);
  }
});
