// Seed 001's evaluation in Node on Dawn: three expressions × strategies × sub-grids of 192 × 192 × n cells, on the GPU and the
// CPU. `node dist/bench/derived.js [--quick] [--planes 256,512] [--runs 7] [--most-ms N] [--out FOLDER]` prints a table
// and writes it with the figures (time and memory by cells) to the folder.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Chart, drawChart, type Series } from "../src/bench/evaluation/chart.ts";
import {
  evaluate,
  expressions,
  type Measurement,
  subGrids,
  type Way,
} from "../src/bench/evaluation/evaluation.ts";
import { describeError } from "../src/core/errors.ts";
import { GpuContext } from "../src/gpu/device/context.ts";
import { openNodeGpu } from "../src/node/gpu.ts";

const looks: Readonly<Record<Way, { readonly color: string; readonly dash?: string }>> = {
  fusion: { color: "#1f77b4" },
  staged: { color: "#2ca02c" },
  streamed: { color: "#9467bd" },
  roundtrip: { color: "#d62728" },
  cpu: { color: "#7f7f7f", dash: "4 3" },
};
const ways = Object.keys(looks) as Way[];

function seriesOf(
  measurements: readonly Measurement[],
  expression: string,
  value: (measurement: Measurement) => number | undefined,
): Series[] {
  return ways.map((way) => ({
    name: way === "cpu" ? "CPU" : way,
    ...looks[way],
    points: measurements
      .filter((one) => one.expression === expression && one.way === way)
      .flatMap((one) => {
        const y = value(one);
        return y === undefined ? [] : [[one.cells, y] as const];
      }),
  }));
}

const row = (cells: readonly (string | number)[]) => `| ${cells.join(" | ")} |`;
const number = (value: number | undefined, digits = 3) =>
  value === undefined ? "" : String(Number(value.toPrecision(digits)));

function tableOf(measurements: readonly Measurement[]): string {
  const head = ["expression", "way", "cells", "ms", "sent", "back", "kernels", "peak MiB", ""];
  return [
    row(head),
    row(head.map(() => "---")),
    ...measurements.map(({ expression, way, cells, ms, cost, refusal = "" }) =>
      row([
        ...[expression, way, cells, number(ms)],
        ...[cost?.uploads ?? "", cost?.downloads ?? "", cost?.kernels ?? ""],
        ...[number(cost && cost.peakBytes / 2 ** 20, 4), refusal],
      ]),
    ),
  ].join("\n");
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      quick: { type: "boolean", default: false },
      planes: { type: "string" },
      runs: { type: "string" },
      "most-ms": { type: "string", default: "20000" },
      out: { type: "string", default: "bench-results/derived" },
    },
  });
  const { gpu, reason } = await openNodeGpu();
  if (!gpu) throw new Error(`There is no WebGPU in this Node: ${reason}.`);
  const context = await GpuContext.open(gpu);
  const machine = `${context.adapter.description}, Node ${process.version} (Dawn)`;
  console.error(machine);
  const options = {
    edge: values.quick ? 24 : 192,
    planes: values.planes?.split(",").map(Number) ?? (values.quick ? [16, 32] : subGrids),
    runs: Number(values.runs ?? (values.quick ? 3 : 7)),
    mostMs: Number(values["most-ms"]),
    ways,
  };
  const measurements: Measurement[] = [];
  for await (const one of evaluate(context, options)) {
    measurements.push(one);
    const what = one.ms === undefined ? one.refusal : `${number(one.ms)} ms`;
    console.error(`${one.expression}, ${one.way}, ${one.cells} cells: ${what}`);
  }
  const table = tableOf(measurements);
  console.log(table);
  await mkdir(values.out, { recursive: true });
  await writeFile(join(values.out, "derived.md"), `${machine}\n\n${table}\n`);
  for (const { name } of expressions) {
    const file = name.toLowerCase().replaceAll(/[^a-z]+/g, "-");
    const charts: Readonly<Record<string, Chart>> = {
      time: {
        title: `${name}: time with transfers`,
        xLabel: "cells",
        yLabel: "milliseconds",
        series: seriesOf(measurements, name, ({ ms }) => ms),
      },
      memory: {
        title: `${name}: most memory on the GPU`,
        xLabel: "cells",
        yLabel: "MiB",
        series: seriesOf(measurements, name, ({ cost }) => cost && cost.peakBytes / 2 ** 20),
      },
    };
    for (const [kind, chart] of Object.entries(charts)) {
      await writeFile(join(values.out, `${file}-${kind}.svg`), drawChart(chart));
    }
  }
}

main().then(
  () => process.stdout.write("", () => process.exit(0)),
  (error: unknown) => {
    console.error(describeError(error));
    process.exit(1);
  },
);
