// Draws what the bench of ranks measured, and a model of latency and rate beside it:
//
//   npm run bench -- ranks-figures [ROWS.json] [FOLDER] [PREFIX]      (docs/figures/ranks.json, docs/figures, ranks)
//
// ROWS.json is what `node dist/bench/ranks.js --out ROWS.json` wrote; names of figures begin with PREFIX. Prints tables of what was
// measured and, where messages were measured on two ranks, the model's.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { drawFigure } from "./evaluation/chart.ts";
import { clusterMpi } from "./ranks/costs.ts";
import { measuredFigures } from "./ranks/figures/measured-figures.ts";
import { measuredTables } from "./ranks/figures/measured-tables.ts";
import { beyondFigure, compare, predictedFigure } from "./ranks/figures/model-figures.ts";
import { tablesOf } from "./ranks/figures/model-tables.ts";
import type { MeasuredRanks } from "./ranks/measured.ts";
import { isCalibrated, modelOf } from "./ranks/prediction.ts";

const [file = "docs/figures/ranks.json", folder = "docs/figures", prefix = "ranks"] = process.argv.slice(2);
// The bench's own file.
const { rows } = JSON.parse(readFileSync(file, "utf8")) as MeasuredRanks;
const figures = { ...measuredFigures(rows) };
const tables = [measuredTables(rows)];
if (isCalibrated(rows)) {
  const model = await modelOf(rows);
  const compared = compare(model, rows);
  const carriers = [model.costs, clusterMpi(model.costs)];
  figures.predicted = predictedFigure(compared, model);
  figures.beyond = beyondFigure(model, carriers);
  tables.push(tablesOf(model, compared, carriers));
}
for (const [name, figure] of Object.entries(figures)) {
  const path = join(folder, `${prefix}-${name}.svg`);
  writeFileSync(path, drawFigure(figure));
  console.log(`Drew ${path}.`);
}
console.log(tables.join("\n\n"));
