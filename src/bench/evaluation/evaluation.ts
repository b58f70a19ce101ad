import { CrinkleError, describeError } from "../../core/errors.ts";
import type { DataSet } from "../../core/field.ts";
import { unattended } from "../../core/job.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import { compile } from "../../lang/expression/compile.ts";
import type { Network } from "../../lang/expression/network/network.ts";
import type { RunCost, StrategyName } from "../../lang/expression/strategies/run/report.ts";
import { planRun, runNetwork } from "../../lang/expression/strategies/run/run.ts";
import { runReference } from "../reference/run.ts";
import { type Expression, expressions } from "./expressions.ts";
import { type Measurement, meanMs, type Way } from "./measurement.ts";
import { vortices } from "./vortices.ts";

/** Computes one output of a network on the CPU. */
export type CpuRun = (network: Network, dataSet: DataSet, output: string) => Promise<Float32Array>;

export interface EvaluationOptions {
  readonly edge: number;
  readonly planes: readonly number[];
  readonly ways: readonly Way[];
  /** Seven in the seed, of which the fastest and the slowest do not count. */
  readonly runs: number;
  /** After so many milliseconds of one measurement no further run of it begins. */
  readonly measuringMs: number;
  /** What would take longer, going by smaller grids, is not run. */
  readonly mostMs: number;
  /** Bytes that a run may hold on the GPU. */
  readonly budget: number;
  readonly onCpu: CpuRun;
  /** What is there already. */
  readonly known: readonly Measurement[];
  /** Asked before each measurement; the evaluation ends where it says no. */
  hasTime(): boolean;
}

/** Bytes a cell that streaming may hold, a quarter of what fusion does: it is for what does not fit. */
const streamedBytes = 4;

/** Share of the largest value that two ways may differ by. */
const tolerance = 1e-4;

interface Run {
  readonly values: Float32Array;
  readonly ms: number;
}

/**
 * Runs the seed's evaluation (§ IV), from small grids to large ones, and hands over each measurement as it comes. On the
 * smallest grid all ways are held against the first. Throws where they differ.
 */
export async function* evaluate(
  gpu: GpuContext,
  options: EvaluationOptions,
): AsyncGenerator<Measurement, void, void> {
  const known = [...options.known];
  for (const depth of options.planes) {
    const cells = options.edge * options.edge * depth;
    const isDue = (expression: string, way: Way) =>
      !known.some((one) => one.expression === expression && one.way === way && one.cells === cells);
    if (!expressions.some(({ name }) => options.ways.some((way) => isDue(name, way)))) continue;
    const dataSet = vortices([options.edge, options.edge, depth]);
    for (const expression of expressions) {
      const compared = new Comparison(expression.name, depth === options.planes[0]);
      for (const way of options.ways) {
        if (!isDue(expression.name, way)) continue;
        if (!options.hasTime()) return;
        const about = { expression: expression.name, way, cells };
        const predicted = prediction(known, about);
        const measured: Measurement =
          predicted > options.mostMs
            ? { ...about, runs: [], predictedMs: predicted }
            : { ...about, ...(await measure(gpu, expression, way, dataSet, options, compared)) };
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
  gpu: GpuContext,
  { text, reference }: Expression,
  way: Way,
  dataSet: DataSet,
  { runs: most, measuringMs, budget, onCpu }: EvaluationOptions,
  compared: Comparison,
): Promise<Pick<Measurement, "runs" | "cost" | "refusal">> {
  const network = compile(text, dataSet.fields);
  const output = network.outputs[network.outputs.length - 1].name;
  let cost: RunCost | undefined;
  const runs: number[] = [];
  try {
    const held = (strategy: StrategyName, most?: number) =>
      planRun(gpu, network, dataSet, [output], strategy, most).cost;
    const allowed =
      way === "streamed" ? Math.min(budget, streamedBytes * dataSet.fields[0].data.length) : budget;
    const once = async (): Promise<Run> => {
      if (way === "cpu") {
        const start = performance.now();
        const values = await onCpu(network, dataSet, output);
        return { values, ms: performance.now() - start };
      }
      if (way === "hand-written") {
        const run = await runReference(gpu, reference, dataSet);
        cost = run.cost;
        return run;
      }
      const options = { strategy: way, budget: allowed };
      const { fields, report } = await runNetwork(gpu, network, dataSet, [output], unattended, options);
      return { values: fields.get(output)?.data as Float32Array, ms: report.ms };
    };
    if (way !== "cpu" && way !== "hand-written") {
      cost = held(way, way === "streamed" ? allowed : undefined);
      held(way, allowed);
    }
    const start = performance.now();
    while (runs.length < most && (runs.length === 0 || performance.now() - start < measuringMs)) {
      const { values, ms } = await once();
      runs.push(ms);
      if (runs.length === 1) compared.check(way, values);
    }
    return { runs, cost };
  } catch (error) {
    if (!(error instanceof CrinkleError) || !["TooLarge", "OutOfMemory"].includes(error.tag)) throw error;
    return { runs: [], cost, refusal: describeError(error) };
  }
}

/** Holds the values of all ways against those of the first. */
class Comparison {
  readonly #expression: string;
  readonly #isWanted: boolean;
  #first: { readonly way: Way; readonly values: Float32Array } | undefined;

  constructor(expression: string, isWanted: boolean) {
    this.#expression = expression;
    this.#isWanted = isWanted;
  }

  check(way: Way, values: Float32Array): void {
    if (!this.#isWanted) return;
    this.#first ??= { way, values };
    const due = this.#first.values;
    let size = 0;
    let off = 0;
    for (let i = 0; i < due.length; i++) {
      size = Math.max(size, Math.abs(due[i]));
      off = Math.max(off, Math.abs(values[i] - due[i]));
    }
    if (values.length === due.length && off <= tolerance * size) return;
    throw new Error(`${this.#expression}: ${way} and ${this.#first.way} differ by ${off} of ${size}.`);
  }
}
