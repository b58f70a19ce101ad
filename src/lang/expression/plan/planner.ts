import type { Grid } from "../../../core/grid.ts";
import { type RunCost, sumCosts } from "../../../core/run-cost.ts";
import type { GpuContext } from "../../../gpu/device/context.ts";
import type { Network, NetworkOutput, NodeId } from "../network/network.ts";
import { type Block, blockGrid, blocksOf, ghostLayers, layersOf } from "./blocks.ts";
import { CostLedger } from "./cost.ts";
import { fusion } from "./fusion.ts";
import type { ExpressionKernel } from "./kernel.ts";
import type { KernelLimits, KernelPlanner, PlacedLayout } from "./kernel-planner.ts";
import { checkMovedAxes } from "./moved-axes.ts";
import { chosenOutputs } from "./outputs.ts";
import { roundtrip, staged } from "./per-filter.ts";
import type { Part } from "./reductions.ts";
import { type DoesNotFit, tooLongArray, tooMuchMemory } from "./refusals.ts";
import { hostResidency, type Residency } from "./residency.ts";
import {
  type ArrayBytes,
  bytesOn,
  type DeviceArray,
  type InputArray,
  type KernelStep,
  keyOf,
  predictCost,
  stepsOf,
} from "./steps.ts";
import type { StrategyName } from "./strategies.ts";

/** What plans are made for. */
export interface PlanInputs {
  readonly grid: Grid;
  layout(field: string): PlacedLayout;
  /** Of inputs that stay on the device: whether it is there already; all are where this is left out. */
  isPresent?(input: InputArray): boolean;
}

export interface RunLimits extends KernelLimits {
  /** Bytes of the largest array that a kernel can bind. */
  readonly largestBinding: number;
  /** Bytes that a run may hold on the device. */
  readonly budget: number;
}

export function limitsOf({ device, pool }: GpuContext, budget = Number.POSITIVE_INFINITY): RunLimits {
  const { maxStorageBuffersPerShaderStage: storageBuffers } = device.limits;
  return { storageBuffers, largestBinding: pool.largestBinding, budget };
}

/** What is run of one network without reductions. */
export interface PartPlan {
  readonly network: Network;
  readonly outputs: readonly NetworkOutput[];
  readonly steps: readonly KernelStep[];
  /** One where the whole grid is computed at once. */
  readonly blocks: readonly Block[];
  /** Blocks on the device at once. */
  readonly atOnce: number;
}

/** How a strategy would run a network on a grid: its parts follow each other. */
export interface RunPlan {
  readonly parts: readonly PartPlan[];
  readonly cost: RunCost;
}

const kernelPlanners: Readonly<Record<StrategyName, KernelPlanner>> = {
  roundtrip,
  staged,
  fusion,
  streamed: fusion,
};

/** Blocks on the device at once, where they fit: one computes while the next is sent and the last comes back. */
const maxAtOnce = 2;

/** Plans parts by any strategy. Allocates nothing on the device. */
export class Planner {
  readonly #inputs: PlanInputs;
  readonly #limits: RunLimits;
  /** Of a network and its outputs, which do not change. */
  readonly #kernels = new WeakMap<Network, Map<KernelPlanner, readonly ExpressionKernel[]>>();

  constructor(inputs: PlanInputs, limits: RunLimits) {
    this.#inputs = inputs;
    this.#limits = limits;
  }

  /** Throws TooLarge where the strategy cannot fit; `canStream` says whether streaming is a way out. */
  plan(
    parts: readonly Part[],
    strategy: StrategyName,
    residency: Residency = hostResidency[strategy],
    canStream = true,
  ): RunPlan {
    for (const { network } of parts) checkMovedAxes(network, this.#inputs.grid);
    const stepsOfPart = (part: Part) => stepsOf(this.#kernelsOf(part, strategy, residency), residency);
    if (strategy === "streamed") {
      const planned = parts.map((part) => this.#planBlocks(part, stepsOfPart(part)));
      const refusals = planned.flatMap(({ refusal }) => (refusal ? [refusal] : []));
      if (refusals.length > 0) throw refusals.reduce((a, b) => (b.bytes > a.bytes ? b : a));
      return { parts: planned.map(({ plan }) => plan), cost: sumCosts(planned.map(({ cost }) => cost)) };
    }
    const { grid } = this.#inputs;
    const { budget, largestBinding } = this.#limits;
    const ledger = new CostLedger();
    const whole = { blocks: blocksOf(grid, layersOf(grid), 0), atOnce: 1 };
    let largest = 0;
    const planned = parts.map((part, k): PartPlan => {
      const steps = stepsOfPart(part);
      const bytesOf = this.#bytesOn(grid, part.network);
      predictCost(steps, bytesOf, ledger, (input) => this.#inputs.isPresent?.(input) ?? true);
      // What reductions reduce is freed once it has been measured.
      if (k < parts.length - 1) for (const array of remaining(steps)) ledger.free(bytesOf(array));
      largest = Math.max(largest, largestArray(steps, bytesOf));
      return { network: part.network, outputs: chosenOutputs(part.network, part.names), steps, ...whole };
    });
    const { cost } = ledger;
    if (cost.peakBytes > budget) throw tooMuchMemory(strategy, cost.peakBytes, budget, canStream);
    if (largest > largestBinding)
      throw tooLongArray(strategy, cost.peakBytes, largest, largestBinding, canStream);
    return { parts: planned, cost };
  }

  /** As many layers a block as the budget allows. */
  #planBlocks(
    { network, names }: Part,
    steps: readonly KernelStep[],
  ): { plan: PartPlan; cost: RunCost; refusal?: DoesNotFit } {
    const { grid } = this.#inputs;
    const { budget, largestBinding } = this.#limits;
    const outputs = chosenOutputs(network, names);
    const ghosts = ghostLayers(network, outputs);
    const all = layersOf(grid);
    const largestGrid = (layers: number) => {
      const blocks = blocksOf(grid, layers, ghosts);
      return blockGrid(
        grid,
        blocks.reduce((a, b) => (b.to - b.from > a.to - a.from ? b : a)),
      );
    };
    const costOn = (part: Grid) => {
      const ledger = new CostLedger();
      predictCost(steps, this.#bytesOn(part, network), ledger, () => true);
      return ledger.cost;
    };
    const held = (layers: number, atOnce: number) =>
      costOn(largestGrid(layers)).peakBytes * Math.min(atOnce, Math.ceil(all / layers));
    const longest = (layers: number) => {
      const part = largestGrid(layers);
      return largestArray(steps, this.#bytesOn(part, network));
    };
    const fits = (layers: number, atOnce: number) =>
      held(layers, atOnce) <= budget && longest(layers) <= largestBinding;
    const atOnce = fits(1, maxAtOnce) ? maxAtOnce : 1;
    let layers = 1;
    for (let step = 2 ** Math.floor(Math.log2(all)); step >= 1; step /= 2) {
      if (layers + step <= all && fits(layers + step, atOnce)) layers += step;
    }
    const blocks = blocksOf(grid, layers, ghosts);
    const cost = sumCosts(blocks.map((block) => costOn(blockGrid(grid, block))));
    const plan = { network, outputs, steps, blocks, atOnce: Math.min(atOnce, blocks.length) };
    return {
      plan,
      cost: { ...cost, peakBytes: held(layers, atOnce) },
      ...(fits(1, atOnce) ? {} : { refusal: noBlockFits(held(1, 1), longest(1), this.#limits) }),
    };
  }

  #bytesOn(grid: Grid, network: Network): ArrayBytes {
    return bytesOn(grid, network, (name) => this.#inputs.layout(name));
  }

  #kernelsOf(
    { network, names }: Part,
    strategy: StrategyName,
    { outputs }: Residency,
  ): readonly ExpressionKernel[] {
    let known = this.#kernels.get(network);
    if (!known) {
      known = new Map();
      this.#kernels.set(network, known);
    }
    const planner = kernelPlanners[strategy];
    let kernels = known.get(planner);
    if (!kernels) {
      const chosen = chosenOutputs(network, names);
      // On the host, names of one value share what comes back of it.
      const unique = new Map<NodeId, NetworkOutput>(chosen.map((output) => [output.node, output]));
      const stored = outputs === "resident" ? chosen : [...unique.values()];
      kernels = planner.plan(network, stored, (name) => this.#inputs.layout(name), this.#limits);
      known.set(planner, kernels);
    }
    return kernels;
  }
}

function noBlockFits(held: number, longest: number, { budget, largestBinding }: RunLimits): DoesNotFit {
  return held > budget
    ? tooMuchMemory("streamed", held, budget, true)
    : tooLongArray("streamed", held, longest, largestBinding, false);
}

/** The values that are on the device after the last step. */
function remaining(steps: readonly KernelStep[]): DeviceArray[] {
  const dead = new Set(steps.flatMap((step) => step.dead.map(keyOf)));
  return steps.flatMap(({ written }) => written.filter((array) => !dead.has(keyOf(array))));
}

const largestArray = (steps: readonly KernelStep[], bytesOf: ArrayBytes): number =>
  Math.max(0, ...steps.flatMap(({ arrays }) => arrays.map(bytesOf)));
