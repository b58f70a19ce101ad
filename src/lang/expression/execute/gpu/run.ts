import type { DataSet, Field } from "../../../../core/field.ts";
import { makeField } from "../../../../core/field.ts";
import { valueCount } from "../../../../core/grid.ts";
import type { JobContext } from "../../../../core/job.ts";
import type { GpuContext } from "../../../../gpu/device/context.ts";
import type { PassTimer } from "../../../../gpu/device/timing.ts";
import type { Network } from "../../network/network.ts";
import { inputsFirst } from "../../network/walk.ts";
import { blockOf, putBlock } from "../../plan/blocks.ts";
import { HostFields, Planner, type RunPlan } from "../../plan/planner.ts";
import { partsOf, resolveReductions } from "../../plan/reductions.ts";
import {
  counted,
  inTurn,
  nothingMoved,
  type RunReport,
  type RunResult,
  type StrategyName,
} from "../../plan/report.ts";
import { centeringOf, inputsOf } from "../../plan/stages.ts";
import { componentsOf } from "../../types.ts";
import { hostValues } from "../host-values.ts";
import { chooseStrategy, costOfParts } from "./choose-strategy.ts";
import { reasonFor } from "./reason.ts";
import { runSteps, type StepsResult } from "./run-steps.ts";

export interface RunOptions {
  /** Chosen by predicted memory and time where it is left out or "auto". */
  readonly strategy?: StrategyName | "auto";
  /** Bytes that the run may hold on the device: what the device allows in one buffer at least. */
  readonly budget?: number;
  /** Measures each kernel, where it is one block. */
  readonly timer?: PassTimer;
}

/**
 * Runs a network on fields of the host and gives its outputs there (seed 001, § III.C), by any strategy, with an account
 * of what moved, for what reductions need too. All strategies compute the same functions in f32; those that keep values
 * in registers may differ in the last bit, where a compiler contracts a product and a sum. Throws UnknownName, TooLarge
 * (with the bytes needed, before it allocates), OutOfMemory, Cancelled.
 */
export async function runNetwork(
  gpu: GpuContext,
  given: Network,
  dataSet: DataSet,
  names: readonly string[],
  job: JobContext,
  { strategy: wanted = "auto", budget = Number.POSITIVE_INFINITY, timer }: RunOptions = {},
): Promise<RunResult> {
  const fields = new HostFields(dataSet);
  const parts = await partsOf(given, names);
  const planners = parts.map((part) => new Planner(gpu, part, fields, budget));
  const { strategy, refusals } =
    wanted === "auto" ? await chooseStrategy(gpu, planners, budget) : { strategy: wanted, refusals: [] };
  // Refuses what does not fit before anything runs, and plans.
  costOfParts(planners, strategy);
  const start = performance.now();
  const done: StepsResult[] = [];
  const blocks: number[] = [];
  const runPart = async (planner: Planner): Promise<StepsResult["fields"]> => {
    const plan = planner.plan(strategy);
    const runner = new Runner(gpu, planner, fields);
    const result =
      plan.blocks.length > 1 ? await runner.runBlocks(plan, job) : await runner.runWhole(plan, job, timer);
    done.push(result);
    blocks.push(plan.blocks.length);
    return result.fields;
  };
  const resolved = await resolveReductions(given, names, async (part, read) => {
    const found = await runPart(new Planner(gpu, part, fields, budget));
    return read(new Map([...found].map(([name, field]) => [name, hostValues(dataSet.grid, field)])));
  });
  const [only] = planners;
  const last = parts.length === 1 ? only : new Planner(gpu, resolved.fields, fields, budget);
  const found = last.outputs.length > 0 ? await runPart(last) : new Map<string, Field>();
  const cost = done.map((result) => result.cost).reduce(inTurn, nothingMoved);
  const report: RunReport = {
    ...cost,
    strategy,
    ...(wanted === "auto" ? { reason: reasonFor(strategy, cost, refusals, false) } : {}),
    blocks: Math.max(1, ...blocks),
    ms: performance.now() - start,
    kernelReports: done.flatMap(({ kernelReports }) => kernelReports),
  };
  return { fields: found, quantities: resolved.quantities, report };
}

/** What `strategy` would cost for a network without reductions, and why it cannot run where it cannot. */
export function planRun(
  gpu: GpuContext,
  network: Network,
  dataSet: DataSet,
  names: readonly string[],
  strategy: StrategyName,
  budget = Number.POSITIVE_INFINITY,
): RunPlan {
  return new Planner(gpu, { network, names }, new HostFields(dataSet), budget).plan(strategy);
}

/** Runs a plan. */
class Runner {
  readonly #gpu: GpuContext;
  readonly #planner: Planner;
  readonly #fields: HostFields;

  constructor(gpu: GpuContext, planner: Planner, fields: HostFields) {
    this.#gpu = gpu;
    this.#planner = planner;
    this.#fields = fields;
  }

  runWhole({ steps }: RunPlan, job: JobContext, timer?: PassTimer): Promise<StepsResult> {
    return this.#run(this.#fields.dataSet, steps, job, timer);
  }

  async runBlocks(plan: RunPlan, job: JobContext): Promise<StepsResult> {
    const { dataSet } = this.#fields;
    const { grid } = dataSet;
    const { network, outputs } = this.#planner;
    const inputs = [...this.#fieldNames()];
    const results = new Map<string, Field>();
    for (const { name, node } of outputs) {
      const centering = centeringOf(network.nodes[node]);
      const components = componentsOf(network.nodes[node].type.value);
      const data = new Float32Array(valueCount(grid, centering) * components);
      results.set(name, makeField(grid, name, centering, components, data));
    }
    const cost = { uploads: 0, downloads: 0, kernels: 0, uploadedBytes: 0, downloadedBytes: 0, peakBytes: 0 };
    const peaks: number[] = [];
    let reports: StepsResult["kernelReports"] = [];
    const blocks = plan.blocks.values();
    const stop = new AbortController();
    const signal = AbortSignal.any([job.signal, stop.signal]);
    let fault: unknown;
    let done = 0;
    const worker = async () => {
      for (const block of blocks) {
        const part = blockOf(dataSet, inputs, block);
        const quiet: JobContext = { signal, progress: () => {} };
        const result = await this.#run(part, plan.steps, quiet);
        for (const [name, field] of result.fields) putBlock(results.get(name) as Field, grid, field, block);
        for (const key of counted) cost[key] += result.cost[key];
        peaks.push(result.cost.peakBytes);
        reports = result.kernelReports;
        job.progress(++done / plan.blocks.length, `Computing block ${done} of ${plan.blocks.length}`);
      }
    };
    const guarded = () =>
      worker().catch((error: unknown) => {
        fault ??= error;
        stop.abort();
      });
    await Promise.all(Array.from({ length: plan.atOnce }, guarded));
    if (fault !== undefined) throw fault;
    const largest = peaks.sort((a, b) => b - a).slice(0, plan.atOnce);
    return {
      fields: results,
      cost: { ...cost, peakBytes: largest.reduce((sum, bytes) => sum + bytes, 0) },
      kernelReports: reports,
    };
  }

  #run(dataSet: DataSet, steps: RunPlan["steps"], job: JobContext, timer?: PassTimer): Promise<StepsResult> {
    const { network, outputs } = this.#planner;
    const layout = (name: string) => this.#fields.layout(name);
    return runSteps(this.#gpu, network, dataSet, outputs, steps, layout, job, timer);
  }

  #fieldNames(): Set<string> {
    const { network, outputs } = this.#planner;
    const order = inputsFirst(
      outputs.map(({ node }) => node),
      (id) => inputsOf(network.nodes[id]),
    );
    return new Set(
      order.flatMap((id) => {
        const node = network.nodes[id];
        return node.kind === "source" ? [node.field] : [];
      }),
    );
  }
}
