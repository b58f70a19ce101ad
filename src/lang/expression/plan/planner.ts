import type { CrinkleError } from "../../../core/errors.ts";
import { type DataSet, type Field, fieldNamed } from "../../../core/field.ts";
import type { Grid } from "../../../core/grid.ts";
import type { GpuContext } from "../../../gpu/device/context.ts";
import { centeringOffsets } from "../../../gpu/fields/upload.ts";
import type { Network, NetworkOutput, NodeId } from "../network/network.ts";
import { type Block, blockGrid, blocksOf, ghostLayers, layersOf } from "./blocks.ts";
import { fusion } from "./fusion.ts";
import type { Kernel } from "./kernel.ts";
import type { FieldLayout, Strategy } from "./kernel-planner.ts";
import { type ArrayBytes, bytesOn, costOf, type Step, stepsOf } from "./lifetimes.ts";
import { chosenOutputs } from "./outputs.ts";
import { roundtrip, staged } from "./per-filter.ts";
import type { Part } from "./reductions.ts";
import { tooLongArray, tooMuchMemory } from "./refusals.ts";
import { counted, type RunCost, type StrategyName } from "./report.ts";

/** How a strategy would run a network on a grid. */
export interface RunPlan {
  readonly strategy: StrategyName;
  readonly cost: RunCost;
  readonly blocks: readonly Block[];
  /** Blocks on the device at once. */
  readonly atOnce: number;
  readonly steps: readonly Step[];
}

/** Blocks on the device at once, where they fit: one computes while the next is sent and the last comes back. */
const mostAtOnce = 2;

const kernelPlans: Readonly<Record<StrategyName, Strategy>> = { roundtrip, staged, fusion, streamed: fusion };

/** The fields of a data set, and what plans must know of them. */
export class HostFields {
  readonly dataSet: DataSet;
  readonly #layouts = new Map<string, FieldLayout>();

  constructor(dataSet: DataSet) {
    this.dataSet = dataSet;
  }

  field(name: string): Field {
    return fieldNamed(this.dataSet, name) as Field;
  }

  layout(name: string): FieldLayout {
    let layout = this.#layouts.get(name);
    if (!layout) {
      const { components, data } = this.field(name);
      layout = { components, offsets: centeringOffsets(data, components) };
      this.#layouts.set(name, layout);
    }
    return layout;
  }
}

/** Plans outputs of a network without reductions, by any strategy. Allocates nothing on the device. */
export class Planner {
  readonly network: Network;
  readonly outputs: readonly NetworkOutput[];
  readonly #gpu: GpuContext;
  readonly #fields: HostFields;
  readonly #budget: number;
  readonly #kernels = new Map<Strategy, readonly Kernel[]>();

  constructor(gpu: GpuContext, { network, names }: Part, fields: HostFields, budget: number) {
    this.network = network;
    this.outputs = chosenOutputs(network, names);
    this.#gpu = gpu;
    this.#fields = fields;
    this.#budget = budget;
  }

  /** Throws TooLarge where the strategy cannot fit. */
  plan(strategy: StrategyName): RunPlan {
    const kernels = this.#plannedKernels(kernelPlans[strategy]);
    const steps = stepsOf(kernels, strategy !== "roundtrip");
    if (strategy === "streamed") return this.#planBlocks(steps);
    const { grid } = this.#fields.dataSet;
    const cost = this.#costOn(grid, steps);
    if (cost.peakBytes > this.#budget) throw tooMuchMemory(strategy, cost.peakBytes, this.#budget, true);
    const largest = this.#largestArray(grid, steps);
    const most = this.#gpu.pool.largestBinding;
    if (largest > most) throw tooLongArray(strategy, cost.peakBytes, largest, most, true);
    return { strategy, cost, steps, blocks: blocksOf(grid, layersOf(grid), 0), atOnce: 1 };
  }

  /** As many layers a block as the budget allows. */
  #planBlocks(steps: readonly Step[]): RunPlan {
    const { grid } = this.#fields.dataSet;
    const ghosts = ghostLayers(this.network, this.outputs);
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
    if (!fits(1, atOnce)) throw this.#noBlockFits(held(1, 1), this.#largestArray(largestGrid(1), steps));
    let layers = 1;
    for (let step = 2 ** Math.floor(Math.log2(all)); step >= 1; step /= 2) {
      if (layers + step <= all && fits(layers + step, atOnce)) layers += step;
    }
    const blocks = blocksOf(grid, layers, ghosts);
    const cost = { uploads: 0, downloads: 0, kernels: 0, uploadedBytes: 0, downloadedBytes: 0 };
    for (const block of blocks) {
      const one = this.#costOn(blockGrid(grid, block), steps);
      for (const key of counted) cost[key] += one[key];
    }
    return {
      strategy: "streamed",
      cost: { ...cost, peakBytes: held(layers, atOnce) },
      blocks,
      atOnce: Math.min(atOnce, blocks.length),
      steps,
    };
  }

  #noBlockFits(held: number, largest: number): CrinkleError {
    const most = this.#gpu.pool.largestBinding;
    return held > this.#budget
      ? tooMuchMemory("streamed", held, this.#budget, true)
      : tooLongArray("streamed", held, largest, most, false);
  }

  #largestArray(grid: Grid, steps: readonly Step[]): number {
    const arrays = steps.flatMap(({ sent, written }) => [
      ...sent,
      ...written.map((node) => ({ kind: "value", node }) as const),
    ]);
    return Math.max(0, ...arrays.map(this.#bytesOn(grid)));
  }

  #costOn(grid: Grid, steps: readonly Step[]): RunCost {
    return costOf(steps, this.#bytesOn(grid));
  }

  #bytesOn(grid: Grid): ArrayBytes {
    return bytesOn(grid, this.network, (name) => this.#fields.field(name));
  }

  #plannedKernels(strategy: Strategy): readonly Kernel[] {
    let kernels = this.#kernels.get(strategy);
    if (!kernels) {
      const unique = new Map<NodeId, NetworkOutput>(this.outputs.map((output) => [output.node, output]));
      const { maxStorageBuffersPerShaderStage: storageBuffers } = this.#gpu.device.limits;
      const layoutOf = (name: string) => this.#fields.layout(name);
      kernels = strategy.plan(this.network, [...unique.values()], layoutOf, { storageBuffers });
      this.#kernels.set(strategy, kernels);
    }
    return kernels;
  }
}
