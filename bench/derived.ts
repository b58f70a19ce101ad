// Seed 001's evaluation in Node on Dawn: three expressions × ways × sub-grids of 192 × 192 × n cells. What is measured is
// kept in a record, from which the next call goes on: see `--help`.
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parseArgs } from "node:util";
import { describeError } from "../src/core/errors.ts";
import { noJob } from "../src/core/job.ts";
import { GpuContext } from "../src/gpu/device/context.ts";
import { evaluateOnCpu } from "../src/lang/expression/execute/cpu/evaluate.ts";
import { bytesOption } from "../src/node/command-line/arguments.ts";
import { nodeWorkers } from "../src/node/cpu-workers.ts";
import { openNodeGpu } from "../src/node/gpu.ts";
import { evaluate } from "./evaluation/evaluation.ts";
import { expressions, subGrids } from "./evaluation/expressions.ts";
import { evaluateKernels } from "./evaluation/kernels.ts";
import { type Measurement, meanMs, type Way, ways } from "./evaluation/measurement.ts";
import { type EvaluationRecord, figuresOf, fits, pageOf, withMeasurement } from "./evaluation/record.ts";
import type { CpuRun } from "./evaluation/runner.ts";
import { timeTables } from "./evaluation/tables.ts";

const help = `npm run bench -- derived [options]
  --quick            grids of 24 × 24 × 16, 32 and 48 cells, three runs
  --grids 256,512    planes of the sub-grids (256, 512 … 3072)
  --kernels 1024     planes of the sub-grids whose kernels are timed alone
  --ways fusion,cpu  of ${ways.join(", ")}
  --runs N           of each measurement (7: the fastest and the slowest do not count)
  --measuring S      seconds after which no further run of a measurement begins (30)
  --most S           what would take longer, going by smaller grids, is left out (120)
  --minutes M        begin nothing new after so long; another call goes on
  --memory 3GiB      what a run may hold on the GPU
  --machine NAME     what the page calls it, where the GPU's driver does not
  --record FILE      where measurements are kept (bench-results/derived.json)
  --fill             measure again what the record has of fewer runs, or left out
  --again            forget what the record has
  --draw             measure nothing: write the page and its figures from the record
  --out FOLDER       for evaluation.md and images/ (docs; with --quick, bench-results)`;

function parsed() {
  const { values } = parseArgs({
    options: {
      quick: { type: "boolean", default: false },
      grids: { type: "string" },
      kernels: { type: "string" },
      ways: { type: "string" },
      runs: { type: "string" },
      measuring: { type: "string", default: "30" },
      most: { type: "string", default: "120" },
      minutes: { type: "string", default: "Infinity" },
      memory: { type: "string" },
      machine: { type: "string" },
      record: { type: "string" },
      fill: { type: "boolean", default: false },
      again: { type: "boolean", default: false },
      draw: { type: "boolean", default: false },
      out: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  const { quick } = values;
  const planes = (text: string | undefined, usual: readonly number[]) =>
    text === undefined ? usual : text.split(",").filter(Boolean).map(Number);
  return {
    ...values,
    edge: quick ? 24 : 192,
    grids: planes(values.grids, quick ? [16, 32, 48] : subGrids),
    kernels: planes(values.kernels, quick ? [48] : [1024]),
    ways: chosenWays(values.ways),
    runs: Number(values.runs ?? (quick ? 3 : 7)),
    budget: values.memory === undefined ? null : bytesOption("memory", values.memory),
    record: values.record ?? `bench-results/derived${quick ? "-quick" : ""}.json`,
    out: values.out ?? (quick ? "bench-results" : "docs"),
  };
}

function chosenWays(text: string | undefined): readonly Way[] {
  if (text === undefined) return ways;
  const names = text.split(",");
  const unknown = names.find((name) => !ways.includes(name as Way));
  if (unknown !== undefined) throw new Error(`There is no way “${unknown}”; there are ${ways.join(", ")}.`);
  return names as Way[];
}

async function readRecord(file: string): Promise<EvaluationRecord | undefined> {
  try {
    return JSON.parse(await readFile(file, "utf8"));
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
    throw error;
  }
}

async function writeRecord(file: string, record: EvaluationRecord): Promise<void> {
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify(record, null, 1)}\n`);
}

async function draw(record: EvaluationRecord, out: string): Promise<void> {
  const images = join(out, "images");
  await mkdir(images, { recursive: true });
  for (const [name, svg] of figuresOf(record)) await writeFile(join(images, `${name}.svg`), svg);
  await writeFile(join(out, "evaluation.md"), pageOf(record));
}

function lineOf(one: Measurement): string {
  const what = `${one.expression}, ${one.way}, ${one.cells.toLocaleString("en")} cells:`;
  const ms = meanMs(one);
  if (ms !== undefined) return `${what} ${ms.toFixed(1)} ms (${one.runs.length} runs)`;
  return `${what} ${one.refusal ?? `some ${Math.round((one.predictedMs ?? 0) / 1000)} s, not run`}`;
}

async function measure(options: ReturnType<typeof parsed>): Promise<EvaluationRecord> {
  const before = options.again ? undefined : await readRecord(options.record);
  const { gpu, reason } = await openNodeGpu();
  if (!gpu) throw new Error(`There is no WebGPU in this Node: ${reason}.`);
  const context = await GpuContext.open(gpu);
  // Built beside this program, not beside the chunk that starts it.
  const workers = nodeWorkers(undefined, new URL(/* @vite-ignore */ "cpu-worker.js", import.meta.url));
  const onCpu: CpuRun = async (network, dataSet, output) => {
    const { fields } = await evaluateOnCpu(network, dataSet, [output], noJob, workers);
    return fields.get(output)?.data as Float32Array;
  };
  const { edge, runs, budget, grids, fill, minutes } = options;
  let record: EvaluationRecord = {
    machine: `${options.machine ?? context.adapter.description}, ${workers.size + 1} threads, Node ${process.version} (Dawn)`,
    date: new Date().toISOString().slice(0, 10),
    ...{ edge, runs, budget },
    measurements: before?.measurements ?? [],
    kernels: before?.kernels ?? [],
  };
  if (before && !fits(before, record)) {
    throw new Error(`${options.record} is of another machine or size: give --again or another --record.`);
  }
  console.error(record.machine);
  for await (const one of evaluateKernels(context, edge, options.kernels, record.kernels)) {
    record = { ...record, kernels: [...record.kernels, one] };
    await writeRecord(options.record, record);
    const [fused, byHand] = [one.fusion.toFixed(4), one.handWritten.toFixed(4)];
    console.error(`kernel of ${one.expression}: fused ${fused} ms, by hand ${byHand} ms`);
  }
  const cells = new Set(grids.map((n) => edge * edge * n));
  const isDone = (one: Measurement) =>
    !fill || one.refusal !== undefined || (one.runs.length >= runs && one.predictedMs === undefined);
  const known = record.measurements.filter(isDone);
  const total = grids.length * options.ways.length * expressions.length;
  let done = known.filter((one) => cells.has(one.cells) && options.ways.includes(one.way)).length;
  const start = performance.now();
  for await (const one of evaluate(context, {
    ...{ edge, runs, known, onCpu },
    planes: grids,
    ways: options.ways,
    measuringMs: 1000 * Number(options.measuring),
    maxMs: 1000 * Number(options.most),
    budget: budget ?? Number.POSITIVE_INFINITY,
    hasTime: () => performance.now() - start < 60000 * Number(minutes),
  })) {
    record = withMeasurement(record, one);
    await writeRecord(options.record, record);
    console.error(`${++done} of ${total}: ${lineOf(one)}`);
  }
  return record;
}

async function main(): Promise<void> {
  const options = parsed();
  if (options.help) return console.log(help);
  const record = options.draw ? await readRecord(options.record) : await measure(options);
  if (!record) throw new Error(`There is no record ${options.record}.`);
  await draw(record, options.out);
  console.log(timeTables(record.measurements, record.runs));
}

main().then(
  () => process.stdout.write("", () => process.exit(0)),
  (error: unknown) => {
    console.error(describeError(error));
    process.exit(1);
  },
);
