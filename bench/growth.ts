// Draws how times grow with sizes: `node dist/bench/growth.js ROWS FOLDER`, where ROWS is what the bench printed by --json.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BenchRow } from "../src/bench/case.ts";
import { drawFigure } from "./evaluation/chart.ts";
import { growthFigures } from "./growth/figures.ts";

const [rows, folder] = process.argv.slice(2);
if (rows === undefined || folder === undefined) {
  console.error("Give the file of rows and the folder for the pictures: growth ROWS FOLDER");
  process.exit(2);
}
const read = readFileSync(rows, "utf8")
  .split("\n")
  .filter((line) => line.startsWith("{"))
  // The bench's own lines, read by whoever had them printed.
  .map((line) => JSON.parse(line) as BenchRow);
for (const { file, figure } of growthFigures(read)) {
  writeFileSync(join(folder, file), drawFigure(figure));
  console.log(`Drew ${join(folder, file)}.`);
}
