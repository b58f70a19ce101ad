// Checks the sources' imports against the architecture: `node tools/check-imports.mjs`. Exits 1 where a rule is broken.
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, relative, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { filesBelow } from "./files.mjs";
import { checkCycles, checkExports, checkLayers, checkReachable } from "./imports/check.mjs";
import { buildGraph } from "./imports/graph.mjs";

const root = join(dirname(fileURLToPath(import.meta.url)), "..");
const modules = /\.([cm]?[jt]sx?|html)$/;
const declarations = /\.d\.ts$/;

const paths = ["src", "bench", "e2e", "tools", "bin"].flatMap((folder) => filesBelow(join(root, folder)));
paths.push(...readdirSync(root).map((name) => join(root, name)));

const files = new Map(
  paths
    .filter((path) => modules.test(path) && !declarations.test(path))
    .map((path) => [relative(root, path).split(sep).join("/"), readFileSync(path, "utf8")]),
);
const { graph, faults } = buildGraph(files);
const found = [
  ...faults,
  ...checkLayers(graph),
  ...checkCycles(graph),
  ...checkReachable(graph),
  ...checkExports(graph),
];
for (const fault of found) console.error(fault);
const edges = [...graph.values()].reduce((sum, node) => sum + node.edges.length, 0);
console.log(`${graph.size} modules, ${edges} imports, ${found.length} faults`);
process.exitCode = found.length > 0 ? 1 : 0;
