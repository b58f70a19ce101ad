// Seed 001's evaluation in Node on Dawn: three expressions × ways × sub-grids of 192 × 192 × n cells. What is measured is
// kept in a record, from which the next call goes on; see docs/evaluation.md and `--help`.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { drawFigure } from "../src/bench/evaluation/chart.ts";
import { type CpuRun, evaluate, expressions, subGrids } from "../src/bench/evaluation/evaluation.ts";
import { kernelFigure, memoryFigure, timeFigure } from "../src/bench/evaluation/figures.ts";
import { type Measurement, meanMs, type Way, ways } from "../src/bench/evaluation/measurement.ts";
import { countTable, kernelTables, memoryTables, timeTables } from "../src/bench/evaluation/tables.ts";
import { describeError } from "../src/core/errors.ts";
import { formatBytes } from "../src/core/format.ts";
import { unattended } from "../src/core/job.ts";
import { GpuContext } from "../src/gpu/device/context.ts";
import { evaluateOnCpu } from "../src/lang/expression/strategies/cpu/evaluate.ts";
import { bytesOption } from "../src/node/command-line/arguments.ts";
import { nodeWorkers } from "../src/node/cpu-workers.ts";
import { openNodeGpu } from "../src/node/gpu.ts";

const help = `npm run bench -- derived [options]
  --quick            grids of 24 × 24 × 16, 32 and 48 cells, three runs
  --grids 256,512    planes of the sub-grids (256, 512 … 3072)
  --ways fusion,cpu  of ${ways.join(", ")}
  --runs N           of each measurement (7: the fastest and the slowest do not count)
  --measuring S      seconds after which no further run of a measurement begins (30)
  --most S           what would take longer, going by smaller grids, is left out (120)
  --minutes M        begin nothing new after so long; another call goes on
  --memory 3GiB      what a run may hold on the GPU
  --record FILE      where measurements are kept (bench-results/derived.json)
  --again            forget what the record has
  --draw             measure nothing: write tables and figures from the record
  --out FOLDER       for evaluation.md and images/ (docs; with --quick, bench-results)`;

interface Record {
  readonly machine: string;
  readonly date: string;
  readonly edge: number;
  readonly runs: number;
  /** Bytes; null where nothing was said. */
  readonly budget: number | null;
  readonly measurements: readonly Measurement[];
}

async function readRecord(file: string): Promise<Record | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

async function writeRecord(file: string, record: Record): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(record, null, 1)}\n`);
}

/** Built beside this program, not beside the chunk that starts it. */
const workers = nodeWorkers(undefined, new URL(/* @vite-ignore */ "cpu-worker.js", import.meta.url));

const onCpu: CpuRun = async (network, dataSet, output) => {
  const { fields } = await evaluateOnCpu(network, dataSet, [output], unattended, workers);
  return fields.get(output)?.data as Float32Array;
};

const figureFiles = {
  "derived-time": "Time with transfers by cells",
  "derived-kernels": "Time of the kernels by cells",
  "derived-memory": "Memory on the GPU by cells",
} as const;

function report({ machine, date, edge, runs, budget, measurements }: Record): string {
  const figure = (name: keyof typeof figureFiles) => `![${figureFiles[name]}](images/${name}.svg)`;
  const allowed = budget === null ? "" : `, with ${formatBytes(budget)} of GPU memory allowed`;
  return `# Evaluation of derived fields

Seed: “Efficient dynamic derived field generation on many-core architectures using Python”, § IV and V: its three expressions
of cell-centred u, v and w on rectilinear sub-grids of ${edge} × ${edge} × n cells, by every strategy, by kernels written by hand for
one expression, and on the CPU. Written by \`npm run bench -- derived\` on ${machine}, ${date}${allowed}.

A time is the mean of ${runs} runs without the fastest and the slowest; where fewer fitted into the time, their number is in
brackets. It counts everything from the first byte sent to the last one back. \`streamed\` was given a quarter of the memory
that fusion holds. Hand-written kernels get the same arrays as fusion and give back the same. On the smallest grid all ways
were held against each other.

## Time with transfers

The seed's Figure 5.

${figure("derived-time")}

Seconds:

${timeTables(measurements, runs)}

## Kernels

What is computing of these times: the kernels alone, repeated on arrays that stay on the GPU, the median of up to seven
batches.

${figure("derived-kernels")}

Milliseconds:

${kernelTables(measurements)}

## Memory

The seed's Figure 6: the most bytes in arrays on the GPU at once.

${figure("derived-memory")}

${memoryTables(measurements)}

## What moves

The seed's Table II: arrays sent and fetched, and kernels. [Strategies](strategies.md) explains the differences.

${countTable(measurements)}
`;
}

async function draw(record: Record, out: string): Promise<void> {
  const { measurements, budget } = record;
  const images = join(out, "images");
  await mkdir(images, { recursive: true });
  const figures = {
    "derived-time": timeFigure(measurements),
    "derived-kernels": kernelFigure(measurements),
    "derived-memory": memoryFigure(measurements, budget ?? Number.POSITIVE_INFINITY),
  };
  for (const [name, figure] of Object.entries(figures)) {
    const hasPoints = figure.panels.some(({ series }) => series.some(({ points }) => points.length > 0));
    if (hasPoints) await writeFile(join(images, `${name}.svg`), drawFigure(figure));
  }
  await writeFile(join(out, "evaluation.md"), report(record));
}

function chosenWays(text: string | undefined): readonly Way[] {
  if (text === undefined) return ways;
  const names = text.split(",");
  const unknown = names.find((name) => !ways.includes(name as Way));
  if (unknown !== undefined) throw new Error(`There is no way “${unknown}”; there are ${ways.join(", ")}.`);
  return names as Way[];
}

function lineOf(one: Measurement): string {
  const what = `${one.expression}, ${one.way}, ${one.cells.toLocaleString("en")} cells:`;
  const ms = meanMs(one);
  if (ms === undefined) {
    return `${what} ${one.refusal ?? `some ${Math.round((one.predictedMs ?? 0) / 1000)} s, not run`}`;
  }
  const alone = one.kernelMs === undefined ? "" : `, kernels ${one.kernelMs.toFixed(3)} ms`;
  return `${what} ${ms.toFixed(1)} ms${alone} (${one.runs.length} runs)`;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: "boolean", default: false },
      grids: { type: "string" },
      ways: { type: "string" },
      runs: { type: "string" },
      measuring: { type: "string", default: "30" },
      most: { type: "string", default: "120" },
      minutes: { type: "string", default: "Infinity" },
      memory: { type: "string" },
      record: { type: "string" },
      again: { type: "boolean", default: false },
      draw: { type: "boolean", default: false },
      out: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  if (values.help) return console.log(help);
  const { quick } = values;
  const file = values.record ?? `bench-results/derived${quick ? "-quick" : ""}.json`;
  const out = values.out ?? (quick ? "bench-results" : "docs");
  const before = values.again ? undefined : await readRecord(file);
  if (values.draw) {
    if (!before) throw new Error(`There is no record ${file}.`);
    return draw(before, out);
  }
  const { gpu, reason } = await openNodeGpu();
  if (!gpu) throw new Error(`There is no WebGPU in this Node: ${reason}.`);
  const context = await GpuContext.open(gpu);
  const budget = values.memory === undefined ? null : bytesOption("memory", values.memory);
  const record = {
    machine: `${context.adapter.description}, ${workers.size + 1} threads, Node ${process.version} (Dawn)`,
    date: new Date().toISOString().slice(0, 10),
    edge: quick ? 24 : 192,
    runs: Number(values.runs ?? (quick ? 3 : 7)),
    budget,
  };
  const isSame = (["machine", "edge", "budget"] as const).every(
    (key) => !before || before[key] === record[key],
  );
  if (!isSame) throw new Error(`${file} is of another machine or size: give --again or another --record.`);
  const measurements = [...(before?.measurements ?? [])];
  console.error(record.machine);
  const planes = values.grids?.split(",").map(Number) ?? (quick ? [16, 32, 48] : subGrids);
  const chosen = chosenWays(values.ways);
  const total = planes.length * chosen.length * expressions.length;
  const cells = new Set(planes.map((n) => record.edge ** 2 * n));
  const start = performance.now();
  for await (const one of evaluate(context, {
    ...record,
    planes,
    ways: chosen,
    measuringMs: 1000 * Number(values.measuring),
    mostMs: 1000 * Number(values.most),
    budget: budget ?? Number.POSITIVE_INFINITY,
    onCpu,
    known: measurements,
    hasTime: () => performance.now() - start < 60000 * Number(values.minutes),
  })) {
    measurements.push(one);
    await writeRecord(file, { ...record, measurements });
    const done = measurements.filter((m) => cells.has(m.cells) && chosen.includes(m.way)).length;
    console.error(`${done} of ${total}: ${lineOf(one)}`);
  }
  await draw({ ...record, measurements }, out);
  console.log(timeTables(measurements, record.runs));
}

main().then(
  () => process.stdout.write("", () => process.exit(0)),
  (error: unknown) => {
    console.error(describeError(error));
    process.exit(1);
  },
);
