import { CrinkleError, describeError } from "../../src/core/errors.ts";
import type { DataSet } from "../../src/core/field.ts";
import type { GpuContext } from "../../src/gpu/device/context.ts";
import { type Expression, expressions } from "./expressions.ts";
import { type Measurement, meanMs, type Way } from "./measurement.ts";
import { type CpuRun, Runner } from "./runner.ts";
import { vortices } from "./vortices.ts";

export interface EvaluationOptions {
  readonly edge: number;
  readonly planes: readonly number[];
  readonly ways: readonly Way[];
  /** Seven in the seed, of which the fastest and the slowest do not count. */
  readonly runs: number;
  /** After so many milliseconds of one measurement no further run of it begins. */
  readonly measuringMs: number;
  /** What would take longer, going by smaller grids, is not run. */
  readonly maxMs: number;
  /** Bytes that a run may hold on the GPU. */
  readonly budget: number;
  readonly onCpu: CpuRun;
  /** What is there already. */
  readonly known: readonly Measurement[];
  /** Asked before each measurement; the evaluation ends where it says no. */
  hasTime(): boolean;
}

/** Planes at most of a grid on which each way runs first, uncounted: that compiles its kernels. */
const warmingPlanes = 32;

/**
 * Runs the seed's evaluation (§ IV), from small grids to large ones, and hands over each measurement as it comes. Before a
 * way's first measurement it is held against the others on a grid of a few planes. Throws where they differ.
 */
export async function* evaluate(
  gpu: GpuContext,
  options: EvaluationOptions,
): AsyncGenerator<Measurement, void, void> {
  const { edge, budget, onCpu } = options;
  const known = [...options.known];
  const runner = new Runner(
    gpu,
    vortices([edge, edge, Math.min(warmingPlanes, ...options.planes)]),
    budget,
    onCpu,
  );
  for (const depth of options.planes) {
    const cells = edge * edge * depth;
    const isDue = (expression: string, way: Way) =>
      !known.some((one) => one.expression === expression && one.way === way && one.cells === cells);
    if (!expressions.some(({ name }) => options.ways.some((way) => isDue(name, way)))) continue;
    const dataSet = vortices([edge, edge, depth]);
    for (const expression of expressions) {
      for (const way of options.ways) {
        if (!isDue(expression.name, way)) continue;
        if (!options.hasTime()) return;
        const about = { expression: expression.name, way, cells };
        const predicted = prediction(known, about);
        const measured: Measurement =
          predicted > options.maxMs
            ? { ...about, runs: [], predictedMs: predicted }
            : { ...about, ...(await measure(runner, expression, way, dataSet, options)) };
        known.push(measured);
        yield measured;
      }
    }
  }
}

/** What a run will take, going by the largest grid that was run. */
function prediction(
  known: readonly Measurement[],
  { expression, way, cells }: Pick<Measurement, "expression" | "way" | "cells">,
): number {
  const before = known
    .filter((one) => one.expression === expression && one.way === way && one.cells < cells)
    .sort((a, b) => b.cells - a.cells)
    .find((one) => one.runs.length > 0);
  const ms = before && meanMs(before);
  return before && ms !== undefined ? (ms * cells) / before.cells : 0;
}

async function measure(
  runner: Runner,
  expression: Expression,
  way: Way,
  dataSet: DataSet,
  { runs: most, measuringMs }: EvaluationOptions,
): Promise<Pick<Measurement, "runs" | "cost" | "refusal">> {
  const runs: number[] = [];
  const cost = runner.cost(expression, way, dataSet);
  try {
    await runner.warm(expression, way);
    const start = performance.now();
    while (runs.length < most && (runs.length === 0 || performance.now() - start < measuringMs)) {
      runs.push(await runner.run(expression, way, dataSet));
    }
    return { runs, cost };
  } catch (error) {
    if (!(error instanceof CrinkleError) || !["TooLarge", "OutOfMemory"].includes(error.tag)) throw error;
    return { runs: [], cost, refusal: describeError(error) };
  }
}
