import { CrinkleError } from "../../../../core/errors.ts";
import { type DataSet, type Field, fieldNamed, makeField } from "../../../../core/field.ts";
import { formatBytes } from "../../../../core/format.ts";
import { type Grid, valueCount } from "../../../../core/grid.ts";
import type { JobContext } from "../../../../core/job.ts";
import { statistics } from "../../../../core/statistics.ts";
import type { GpuContext } from "../../../../gpu/device/context.ts";
import type { PassTimer } from "../../../../gpu/device/timing.ts";
import { centeringOffsets } from "../../../../gpu/fields/upload.ts";
import type { Network, NetworkOutput, NodeId } from "../../network/network.ts";
import { inputsFirst } from "../../network/walk.ts";
import { componentsOf } from "../../types.ts";
import type { Kernel } from "../fusion/kernel.ts";
import { fusion } from "../fusion/plan.ts";
import { chosenOutputs } from "../outputs.ts";
import { roundtrip, staged } from "../per-filter.ts";
import { resolveReductions } from "../reductions.ts";
import { centeringOf, inputsOf } from "../stages.ts";
import type { FieldLayout, Strategy } from "../strategy.ts";
import { type Block, blockGrid, blockOf, blocksOf, ghostLayers, layersOf, putBlock } from "./blocks.ts";
import { bytesOn, costOf, type Step, stepsOf } from "./lifetimes.ts";
import { deviceRates, predictMs } from "./rates.ts";
import { type RunCost, type RunReport, type RunResult, type StrategyName, strategyNames } from "./report.ts";
import { runSteps, type StepsResult } from "./run-steps.ts";

export interface RunOptions {
  /** Chosen by predicted memory and time where it is left out or "auto". */
  readonly strategy?: StrategyName | "auto";
  /** Bytes that the run may hold on the device: what the device allows in one buffer at least. */
  readonly budget?: number;
  /** Measures each kernel, where it is one block. */
  readonly timer?: PassTimer;
}

/** How a strategy would run a network on a grid. */
export interface RunPlan {
  readonly strategy: StrategyName;
  readonly cost: RunCost;
  readonly blocks: readonly Block[];
  /** Blocks on the device at once. */
  readonly atOnce: number;
  readonly kernels: readonly Kernel[];
}

/** Blocks on the device at once, where they fit: one computes while the next is sent and the last comes back. */
const mostAtOnce = 2;

/** What blocks cost together. */
const counted = ["uploads", "downloads", "kernels", "uploadedBytes", "downloadedBytes"] as const;

const kernelPlans: Readonly<Record<StrategyName, Strategy>> = { roundtrip, staged, fusion, streamed: fusion };

/**
 * Runs a network on fields of the host and gives its outputs there (seed 001, § III.C), by any strategy, with an account
 * of what moved. All strategies compute the same functions in f32; those that keep values in registers may differ in
 * the last bit, where a compiler contracts a product and a sum. Throws UnknownName, TooLarge (with the bytes needed,
 * before it allocates), OutOfMemory, Cancelled.
 */
export async function runNetwork(
  gpu: GpuContext,
  given: Network,
  dataSet: DataSet,
  names: readonly string[],
  job: JobContext,
  { strategy = "auto", budget = Number.POSITIVE_INFINITY, timer }: RunOptions = {},
): Promise<RunResult> {
  const inner: RunReport[] = [];
  const network = await resolveReductions(given, names, async (part, outputs) => {
    const { fields, report } = await runNetwork(gpu, part, dataSet, outputs, job, { strategy, budget });
    inner.push(report);
    return new Map([...fields].map(([name, { data, components }]) => [name, statistics(data, components)]));
  });
  const planner = new Planner(gpu, network, dataSet, names, budget);
  const { plan, reason } = strategy === "auto" ? await planner.choose() : { plan: planner.plan(strategy) };
  const start = performance.now();
  const { fields, cost, kernelReports } =
    plan.blocks.length > 1 ? await planner.runBlocks(plan, job) : await planner.runWhole(plan, job, timer);
  const ms = performance.now() - start;
  const report = { ...cost, strategy: plan.strategy, reason, blocks: plan.blocks.length, ms, kernelReports };
  return { fields, report: [...inner, report].reduce(addReports) };
}

/** What two runs took, one after the other; the rest is told of the later one. */
function addReports(first: RunReport, then: RunReport): RunReport {
  const sums = Object.fromEntries(counted.map((key) => [key, first[key] + then[key]]));
  return {
    ...then,
    ...sums,
    peakBytes: Math.max(first.peakBytes, then.peakBytes),
    ms: first.ms + then.ms,
    kernelReports: [...first.kernelReports, ...then.kernelReports],
  };
}

/** What `strategy` would cost, and why it cannot run where it cannot: nothing is allocated. */
export function planRun(
  gpu: GpuContext,
  network: Network,
  dataSet: DataSet,
  names: readonly string[],
  strategy: StrategyName,
  budget = Number.POSITIVE_INFINITY,
): RunPlan {
  return new Planner(gpu, network, dataSet, names, budget).plan(strategy);
}

class Planner {
  readonly outputs: readonly NetworkOutput[];
  readonly #gpu: GpuContext;
  readonly #network: Network;
  readonly #dataSet: DataSet;
  readonly #budget: number;
  readonly #layouts = new Map<string, FieldLayout>();
  readonly #kernels = new Map<StrategyName, readonly Kernel[]>();
  /** Bytes that strategies would hold which were refused. */
  readonly #needs = new Map<StrategyName, number>();

  constructor(gpu: GpuContext, network: Network, dataSet: DataSet, names: readonly string[], budget: number) {
    this.#gpu = gpu;
    this.#network = network;
    this.#dataSet = dataSet;
    this.#budget = budget;
    this.outputs = chosenOutputs(network, names);
  }

  /** Throws TooLarge where the strategy cannot fit. */
  plan(strategy: StrategyName): RunPlan {
    const kernels = this.#plannedKernels(strategy);
    if (strategy === "streamed") return this.#planBlocks(kernels);
    const { grid } = this.#dataSet;
    const steps = stepsOf(kernels, strategy !== "roundtrip");
    const cost = this.#costOn(grid, steps);
    this.#checkFits(strategy, cost, grid, steps);
    return { strategy, cost, kernels, blocks: blocksOf(grid, layersOf(grid), 0), atOnce: 1 };
  }

  /** The strategy that is predicted to be done first, of those that fit. Throws TooLarge where none does. */
  async choose(): Promise<{ plan: RunPlan; reason: string }> {
    const rates = await deviceRates(this.#gpu);
    const refusals: string[] = [];
    let best: { plan: RunPlan; ms: number } | undefined;
    for (const strategy of strategyNames) {
      try {
        const plan = this.plan(strategy);
        const ms = predictMs(plan.cost, rates);
        // Streaming what fits at once costs the ghosts.
        if (!best || ms < best.ms) best = { plan, ms };
      } catch (error) {
        if (!(error instanceof CrinkleError) || error.tag !== "TooLarge") throw error;
        refusals.push(`${strategy} does not fit`);
      }
    }
    if (!best) throw this.#nothingFits();
    const { strategy, cost } = best.plan;
    const held = formatBytes(cost.peakBytes);
    return {
      plan: best.plan,
      reason: [
        `${strategy} moves ${formatBytes(cost.uploadedBytes + cost.downloadedBytes)} and holds ${held}, the fastest of those that fit`,
        ...refusals,
      ].join("; "),
    };
  }

  steps({ strategy, kernels }: RunPlan): Step[] {
    return stepsOf(kernels, strategy !== "roundtrip");
  }

  runWhole(plan: RunPlan, job: JobContext, timer?: PassTimer): Promise<StepsResult> {
    const layout = (name: string) => this.#layout(name);
    return runSteps(
      this.#gpu,
      this.#network,
      this.#dataSet,
      this.outputs,
      this.steps(plan),
      layout,
      job,
      timer,
    );
  }

  async runBlocks(plan: RunPlan, job: JobContext): Promise<StepsResult> {
    const { grid } = this.#dataSet;
    const steps = this.steps(plan);
    const inputs = [...this.#fieldNames()];
    const results = new Map<string, Field>();
    for (const { name, node } of this.outputs) {
      const { type } = this.#network.nodes[node];
      const centering = centeringOf(this.#network.nodes[node]);
      const components = componentsOf(type.value);
      const data = new Float32Array(valueCount(grid, centering) * components);
      results.set(name, makeField(grid, name, centering, components, data));
    }
    const cost = { uploads: 0, downloads: 0, kernels: 0, uploadedBytes: 0, downloadedBytes: 0, peakBytes: 0 };
    const peaks: number[] = [];
    let reports: StepsResult["kernelReports"] = [];
    const blocks = plan.blocks.values();
    const layout = (name: string) => this.#layout(name);
    const stop = new AbortController();
    const signal = AbortSignal.any([job.signal, stop.signal]);
    let fault: unknown;
    let done = 0;
    const worker = async () => {
      for (const block of blocks) {
        const part = blockOf(this.#dataSet, inputs, block);
        const quiet: JobContext = { signal, progress: () => {} };
        const result = await runSteps(this.#gpu, this.#network, part, this.outputs, steps, layout, quiet);
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

  /** As many layers a block as the budget allows. */
  #planBlocks(kernels: readonly Kernel[]): RunPlan {
    const { grid } = this.#dataSet;
    const steps = stepsOf(kernels, true);
    const ghosts = ghostLayers(this.#network, this.outputs);
    const all = layersOf(grid);
    const largestGrid = (layers: number) => {
      const blocks = blocksOf(grid, layers, ghosts);
      return blockGrid(
        grid,
        blocks.reduce((a, b) => (b.to - b.from > a.to - a.from ? b : a)),
      );
    };
    const held = (layers: number, atOnce: number) =>
      this.#costOn(largestGrid(layers), steps).peakBytes * Math.min(atOnce, Math.ceil(all / layers));
    const fits = (layers: number, atOnce: number) =>
      held(layers, atOnce) <= this.#budget &&
      this.#largestArray(largestGrid(layers), steps) <= this.#gpu.pool.largestBinding;
    const atOnce = fits(1, mostAtOnce) ? mostAtOnce : 1;
    if (!fits(1, atOnce)) throw this.#tooLarge("streamed", held(1, 1));
    let layers = 1;
    for (let step = 2 ** Math.floor(Math.log2(all)); step >= 1; step /= 2) {
      if (layers + step <= all && fits(layers + step, atOnce)) layers += step;
    }
    const blocks = blocksOf(grid, layers, ghosts);
    const costs = blocks.map((block) => this.#costOn(blockGrid(grid, block), steps));
    const cost = { uploads: 0, downloads: 0, kernels: 0, uploadedBytes: 0, downloadedBytes: 0 };
    for (const one of costs) for (const key of counted) cost[key] += one[key];
    const peakBytes = held(layers, atOnce);
    return {
      strategy: "streamed",
      cost: { ...cost, peakBytes },
      blocks,
      atOnce: Math.min(atOnce, blocks.length),
      kernels,
    };
  }

  #checkFits(strategy: StrategyName, { peakBytes }: RunCost, grid: Grid, steps: readonly Step[]): void {
    if (peakBytes > this.#budget) throw this.#tooLarge(strategy, peakBytes);
    const largest = this.#largestArray(grid, steps);
    const most = this.#gpu.pool.largestBinding;
    if (largest > most) {
      this.#needs.set(strategy, peakBytes);
      throw new CrinkleError({
        tag: "TooLarge",
        problem: `The ${strategy} strategy needs an array of ${formatBytes(largest)}; this device allows ${formatBytes(most)}.`,
        remedy: "Use the streamed strategy, which sends blocks.",
      });
    }
  }

  #nothingFits(): CrinkleError {
    const [strategy, bytes] = [...this.#needs].reduce((a, b) => (b[1] < a[1] ? b : a));
    return new CrinkleError({
      tag: "TooLarge",
      problem: `No strategy computes this with ${formatBytes(this.#budget)} on the GPU; the least, ${formatBytes(bytes)}, takes ${strategy}.`,
      remedy: "Allow it more memory.",
    });
  }

  #tooLarge(strategy: StrategyName, bytes: number): CrinkleError {
    this.#needs.set(strategy, bytes);
    return new CrinkleError({
      tag: "TooLarge",
      problem: `The ${strategy} strategy would hold ${formatBytes(bytes)} on the GPU; ${formatBytes(this.#budget)} are allowed.`,
      remedy:
        strategy === "streamed"
          ? "Allow it more memory."
          : "Use the streamed strategy, or allow it more memory.",
    });
  }

  #largestArray(grid: Grid, steps: readonly Step[]): number {
    const bytesOf = bytesOn(grid, this.#network, (name) => this.#field(name));
    const arrays = steps.flatMap(({ sent, written }) => [
      ...sent,
      ...written.map((node) => ({ kind: "value", node }) as const),
    ]);
    return Math.max(0, ...arrays.map(bytesOf));
  }

  #costOn(grid: Grid, steps: readonly Step[]): RunCost {
    return costOf(
      steps,
      bytesOn(grid, this.#network, (name) => this.#field(name)),
    );
  }

  #field(name: string): Field {
    return fieldNamed(this.#dataSet, name) as Field;
  }

  #plannedKernels(strategy: StrategyName): readonly Kernel[] {
    let kernels = this.#kernels.get(strategy);
    if (!kernels) {
      const unique = new Map<NodeId, NetworkOutput>(this.outputs.map((output) => [output.node, output]));
      kernels = kernelPlans[strategy].plan(
        this.#network,
        [...unique.values()],
        (name) => this.#layout(name),
        {
          storageBuffers: this.#gpu.device.limits.maxStorageBuffersPerShaderStage,
        },
      );
      this.#kernels.set(strategy, kernels);
    }
    return kernels;
  }

  #layout(name: string): FieldLayout {
    let layout = this.#layouts.get(name);
    if (!layout) {
      const { components, data } = this.#field(name);
      layout = { components, offsets: centeringOffsets(data, components) };
      this.#layouts.set(name, layout);
    }
    return layout;
  }

  #fieldNames(): Set<string> {
    const order = inputsFirst(
      this.outputs.map(({ node }) => node),
      (id) => inputsOf(this.#network.nodes[id]),
    );
    return new Set(
      order.flatMap((id) => {
        const node = this.#network.nodes[id];
        return node.kind === "source" ? [node.field] : [];
      }),
    );
  }
}
