import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { drawFigure } from "../../evaluation/chart.ts";
import type { Measured, MeasuredRanks } from "../measured.ts";
import { lineOf } from "../prediction.ts";
import { computingFigure, isosurfaceFigure, sizesFigure } from "./measured-figures.ts";

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
  const figures = {
    "ranks-computing": computingFigure(rows),
    "ranks-isosurface": isosurfaceFigure(rows),
    "ranks-sizes": sizesFigure(rows),
  };
  const page = readFileSync("docs/distributed.md", "utf8");
  for (const [name, figure] of Object.entries(figures)) {
    expect(drawFigure(figure), name).toBe(readFileSync(`docs/figures/${name}.svg`, "utf8"));
    expect(page).toContain(`figures/${name}.svg`);
  }
});
