// The CPU backend, on one thread and on all, beside a plain interpreter, in Node:
// `node dist/bench/cpu.js [--edges 64,128] [--runs 7] [--threads N]`.
import { parseArgs } from "node:util";
import { nodeWorkers } from "../src/node/cpu-workers.ts";
import { compareOnCpu } from "./cpu/compare.ts";

const { values } = parseArgs({
  options: {
    edges: { type: "string", default: "64,128" },
    runs: { type: "string", default: "7" },
    threads: { type: "string" },
  },
});

const row = (cells: readonly (string | number)[]) => console.log(`| ${cells.join(" | ")} |`);
const digits = (value: number) => String(Number(value.toPrecision(3)));
const times = (plain: number, ms: number) => `${digits(ms)} (${(plain / ms).toFixed(1)}×)`;

const workers = nodeWorkers(
  values.threads === undefined ? undefined : Number(values.threads) - 1,
  // Built beside this program, not beside the chunk that starts it.
  new URL(/* @vite-ignore */ "cpu-worker.js", import.meta.url),
);
row(["expression", "points", "interpreter, ms", "1 thread", "threads", "all", "equal"]);
row(["---", "--:", "--:", "--:", "--:", "--:", "---"]);
const edges = values.edges.split(",").map(Number);
for await (const one of compareOnCpu(edges, Number(values.runs), workers)) {
  const { expression, points, plain, single, shared, threads, isEqual } = one;
  const ways = [digits(plain), times(plain, single), threads, times(plain, shared)];
  row([expression, points.toLocaleString("en-US"), ...ways, isEqual ? "yes" : "NO"]);
}
workers.end();
