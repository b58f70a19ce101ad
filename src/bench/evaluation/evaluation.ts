import { CrinkleError, describeError } from "../../core/errors.ts";
import { type DataSet, type Field, makeField } from "../../core/field.ts";
import { type RectilinearGrid, type Triple, valueCoordinates } from "../../core/grid.ts";
import { unattended } from "../../core/job.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import { compile } from "../../lang/expression/compile.ts";
import { qCriterion, velocityMagnitude, vorticityMagnitude } from "../../lang/expression/listings.ts";
import { evaluateOnCpu } from "../../lang/expression/strategies/cpu/evaluate.ts";
import type { RunCost, StrategyName } from "../../lang/expression/strategies/run/report.ts";
import { planRun, runNetwork } from "../../lang/expression/strategies/run/run.ts";

/** Seed 001's three expressions (Figure 3), of cell-centred u, v and w. */
export const expressions = [
  { name: "velocity magnitude", text: velocityMagnitude },
  { name: "vorticity magnitude", text: vorticityMagnitude },
  { name: "Q-criterion", text: qCriterion },
] as const;

/** Planes of the seed's twelve sub-grids of 192 × 192 × n cells. */
export const subGrids: readonly number[] = Array.from({ length: 12 }, (_, k) => 256 * (k + 1));

export type Way = StrategyName | "cpu";

/** One expression on one sub-grid in one way. */
export interface Measurement {
  readonly expression: string;
  readonly way: Way;
  readonly cells: number;
  /** Transfers included: the mean of the runs but the fastest and the slowest. */
  readonly ms?: number;
  readonly cost?: RunCost;
  /** Why it was not run. */
  readonly refusal?: string;
}

export interface EvaluationOptions {
  readonly edge: number;
  readonly planes: readonly number[];
  readonly ways: readonly Way[];
  /** Seven in the seed, of which the fastest and the slowest do not count. */
  readonly runs: number;
  /** A way that takes longer than this is not run on larger sub-grids. */
  readonly mostMs: number;
}

/** Two vortices in a box, cell-centred, on a rectilinear grid. */
function vortices([nx, ny, nz]: Triple): DataSet {
  const axis = (n: number) =>
    Float64Array.from({ length: n + 1 }, (_, i) => i / n + (0.1 * Math.sin((2 * Math.PI * i) / n)) / n);
  const grid: RectilinearGrid = {
    kind: "rectilinear",
    dims: [nx + 1, ny + 1, nz + 1],
    axes: [axis(nx), axis(ny), axis(nz)],
  };
  const tables = [0, 1, 2].map((a) => {
    const angles = valueCoordinates(grid, "cell", a).map((x) => 2 * Math.PI * x);
    return { sin: angles.map(Math.sin), cos: angles.map(Math.cos) };
  });
  const [x, y, z] = tables;
  const field = (name: string, value: (i: number, j: number, k: number) => number): Field => {
    const data = new Float32Array(nx * ny * nz);
    let at = 0;
    for (let k = 0; k < nz; k++)
      for (let j = 0; j < ny; j++) for (let i = 0; i < nx; i++) data[at++] = value(i, j, k);
    return makeField(grid, name, "cell", 1, data);
  };
  const fields = [
    field("u", (i, j, k) => x.sin[i] * y.cos[j] * z.cos[k]),
    field("v", (i, j, k) => -x.cos[i] * y.sin[j] * z.cos[k]),
    field("w", (i, j, k) => 0.2 * x.cos[i] * y.cos[j] * z.sin[k]),
  ];
  return { name: "vortices", grid, fields, notes: [] };
}

/** What streaming may hold of what fusion does: it is for what does not fit. */
const share = 1 / 4;

const trimmedMean = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const kept = sorted.length > 2 ? sorted.slice(1, -1) : sorted;
  return kept.reduce((a, b) => a + b, 0) / kept.length;
};

/** Runs the seed's evaluation (§ IV) and hands over each measurement as it comes. */
export async function* evaluate(
  gpu: GpuContext,
  { edge, planes, ways, runs, mostMs }: EvaluationOptions,
): AsyncGenerator<Measurement> {
  const tooSlow = new Set<string>();
  for (const depth of planes) {
    const dataSet = vortices([edge, edge, depth]);
    const cells = edge * edge * depth;
    for (const { name: expression, text } of expressions) {
      const network = compile(text, dataSet.fields);
      const outputs = [network.outputs[network.outputs.length - 1].name];
      for (const way of ways) {
        const key = `${expression} ${way}`;
        if (tooSlow.has(key)) {
          yield { expression, way, cells, refusal: `more than ${mostMs} ms on a smaller grid` };
          continue;
        }
        try {
          const plan = (strategy: StrategyName) => planRun(gpu, network, dataSet, outputs, strategy, budget);
          const budget =
            way === "streamed"
              ? planRun(gpu, network, dataSet, outputs, "fusion").cost.peakBytes * share
              : undefined;
          const times: number[] = [];
          for (let run = 0; run < runs; run++) {
            const start = performance.now();
            if (way === "cpu") await evaluateOnCpu(network, dataSet, outputs, unattended);
            else await runNetwork(gpu, network, dataSet, outputs, unattended, { strategy: way, budget });
            times.push(performance.now() - start);
          }
          const ms = trimmedMean(times);
          if (ms > mostMs) tooSlow.add(key);
          const cost = way === "cpu" ? undefined : plan(way).cost;
          yield { expression, way, cells, ms, cost };
        } catch (error) {
          if (!(error instanceof CrinkleError) || !["TooLarge", "OutOfMemory"].includes(error.tag))
            throw error;
          yield { expression, way, cells, refusal: describeError(error) };
        }
      }
    }
  }
}
