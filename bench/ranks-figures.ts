// Draws what the bench of ranks measured, and a model of latency and rate beside it:
//
//   npm run bench -- ranks-figures [ROWS.json] [FOLDER]      (docs/figures/ranks.json, docs/figures)
//
// ROWS.json is what `node dist/bench/ranks.js --out ROWS.json` wrote. Prints the model's tables.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { drawFigure } from "./evaluation/chart.ts";
import { clusterMpi } from "./ranks/costs.ts";
import { computingFigure, isosurfaceFigure, sizesFigure } from "./ranks/figures/measured-figures.ts";
import { beyondFigure, compare, predictedFigure } from "./ranks/figures/model-figures.ts";
import { tablesOf } from "./ranks/figures/model-tables.ts";
import type { MeasuredRanks } from "./ranks/measured.ts";
import { modelOf } from "./ranks/prediction.ts";

const [file = "docs/figures/ranks.json", folder = "docs/figures"] = process.argv.slice(2);
// The bench's own file.
const { rows } = JSON.parse(readFileSync(file, "utf8")) as MeasuredRanks;
const model = await modelOf(rows);
const compared = compare(model, rows);
const carriers = [model.costs, clusterMpi(model.costs)];
const figures = {
  "ranks-computing": computingFigure(rows),
  "ranks-isosurface": isosurfaceFigure(rows),
  "ranks-sizes": sizesFigure(rows),
  "ranks-predicted": predictedFigure(compared, model),
  "ranks-beyond": beyondFigure(model, carriers),
};
for (const [name, figure] of Object.entries(figures)) {
  const path = join(folder, `${name}.svg`);
  writeFileSync(path, drawFigure(figure));
  console.log(`Drew ${path}.`);
}
console.log(tablesOf(model, compared, carriers));
