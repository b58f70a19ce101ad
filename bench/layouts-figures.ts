// Draws what the bench of layouts and lattices measured, as figures 11 to 13 of seed 002:
//
//   npm run bench -- layouts-figures [ROWS.json] [FOLDER]      (docs/figures/layouts.json, docs/figures)
//
// The `rows` of ROWS.json are what the bench prints by --json.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BenchRow } from "../src/bench/case.ts";
import { drawFigure } from "./evaluation/chart.ts";
import { isingFigure, relativeFigure, timesFigure } from "./layouts/figures.ts";

const [file = "docs/figures/layouts.json", folder = "docs/figures"] = process.argv.slice(2);
// Written by whoever measured them.
const { rows } = JSON.parse(readFileSync(file, "utf8")) as { readonly rows: readonly BenchRow[] };
const figures = {
  "layouts-by-hand": relativeFigure(rows),
  "layouts-times": timesFigure(rows),
  "layouts-ising": isingFigure(rows),
};
for (const [name, figure] of Object.entries(figures)) {
  const path = join(folder, `${name}.svg`);
  writeFileSync(path, drawFigure(figure));
  console.log(`Drew ${path}.`);
}
