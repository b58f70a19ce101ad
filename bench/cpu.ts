// The CPU backend beside a plain interpreter, in Node: `node dist/bench/cpu.js [--edges 64,128] [--runs 7]`.
import { parseArgs } from "node:util";
import { compareOnCpu } from "../src/bench/cpu/compare.ts";

const { values } = parseArgs({
  options: { edges: { type: "string", default: "64,128" }, runs: { type: "string", default: "7" } },
});

const row = (cells: readonly (string | number)[]) => console.log(`| ${cells.join(" | ")} |`);
const digits = (value: number) => String(Number(value.toPrecision(3)));

row(["expression", "points", "plain, ms", "1 thread, ms", "times", "equal"]);
row(["---", "--:", "--:", "--:", "--:", "---"]);
const edges = values.edges.split(",").map(Number);
for await (const { expression, points, plain, single, isEqual } of compareOnCpu(edges, Number(values.runs))) {
  row([expression, points, digits(plain), digits(single), digits(plain / single), isEqual ? "yes" : "NO"]);
}
