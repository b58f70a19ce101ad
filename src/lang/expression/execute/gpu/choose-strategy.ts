import { CrinkleError } from "../../../../core/errors.ts";
import type { DataSet } from "../../../../core/field.ts";
import type { RunCost } from "../../../../core/run-cost.ts";
import type { GpuContext } from "../../../../gpu/device/context.ts";
import type { Network } from "../../network/network.ts";
import { limitsOf, type PlanInputs, Planner } from "../../plan/planner.ts";
import { type Part, partsOf } from "../../plan/reductions.ts";
import { nothingFits } from "../../plan/refusals.ts";
import { resident, residentAndBound } from "../../plan/residency.ts";
import {
  type ResidentStrategy,
  residentStrategies,
  type StrategyName,
  strategyNames,
} from "../../plan/strategies.ts";
import { type Refusal, reasonFor } from "../reason.ts";
import { HostFields } from "./inputs.ts";
import { deviceRates, predictMs } from "./rates.ts";

/** What the user asks for. */
export interface StrategyRequest {
  readonly strategy: StrategyName | "auto";
  /** Bytes that the run may hold on the GPU; no limit of its own where it is left out. */
  readonly budget?: number;
}

/** Fields that are on the device, or come to stay there: results stay there, too. */
export interface OnDevice {
  readonly device: PlanInputs;
  /** Whether kernels are bound once, for many runs; temporaries then live as long as the outputs. */
  readonly isRepeated?: boolean;
}

/** Fields in host memory, which are asked for where the run has to go from there and back. */
export interface OnHost {
  readonly host: () => Promise<DataSet>;
}

/** Where a run may find its fields and leave its results. */
type FieldLocations = (OnDevice & Partial<OnHost>) | (OnHost & Partial<OnDevice>);

interface Reasoned {
  /** Why the strategy was taken, where it was chosen automatically, with what it has cost. */
  reason(cost: RunCost): string | undefined;
}

/** Fields and results stay on the device. */
export interface ResidentChoice extends Reasoned {
  readonly kind: "resident";
  readonly strategy: ResidentStrategy;
  readonly cost: RunCost;
  /** Whether reductions are measured first, so that kernels depend on the fields' values. */
  readonly isMeasured: boolean;
}

/** From host memory to host memory. */
export interface HostChoice extends Reasoned {
  readonly kind: "host";
  readonly strategy: StrategyName;
  readonly fields: HostFields;
  readonly planner: Planner;
}

/**
 * Chooses how outputs of a network are computed on a GPU. Where fields and results may stay on the device, that goes first:
 * by fusion, or by staged kernels where only those fit. What does not fit goes from host memory to host memory, if it may:
 * by the strategy asked for, or by the one that is predicted to be done first of those that fit. Allocates nothing for it.
 * Throws UnknownName; TooLarge with the bytes needed where nothing fits; BadArgument for a strategy that moves fields where
 * these are on the device alone.
 */
export async function chooseStrategy(
  gpu: GpuContext,
  network: Network,
  names: readonly string[],
  request: StrategyRequest,
  locations: OnDevice & { readonly host?: undefined },
): Promise<ResidentChoice>;
export async function chooseStrategy(
  gpu: GpuContext,
  network: Network,
  names: readonly string[],
  request: StrategyRequest,
  locations: OnHost & { readonly device?: undefined },
): Promise<HostChoice>;
export async function chooseStrategy(
  gpu: GpuContext,
  network: Network,
  names: readonly string[],
  request: StrategyRequest,
  locations: OnDevice & OnHost,
): Promise<ResidentChoice | HostChoice>;
export async function chooseStrategy(
  gpu: GpuContext,
  network: Network,
  names: readonly string[],
  { strategy: wanted, budget = Number.POSITIVE_INFINITY }: StrategyRequest,
  { device, isRepeated = false, host }: FieldLocations,
): Promise<ResidentChoice | HostChoice> {
  const parts = await partsOf(network, names);
  const isAutomatic = wanted === "auto";
  const reasoned = (strategy: StrategyName, refusals: readonly Refusal[], isResident: boolean): Reasoned => ({
    reason: (cost) => (isAutomatic ? reasonFor(strategy, cost, refusals, isResident) : undefined),
  });
  const refusals: Refusal[] = [];
  if (device) {
    const planner = new Planner(device, limitsOf(gpu, budget));
    const isMeasured = parts.length > 1;
    const residency = isRepeated && !isMeasured ? residentAndBound : resident;
    for (const strategy of residentStrategies) {
      if (!isAutomatic && strategy !== wanted) continue;
      const cost = attempt(
        strategy,
        refusals,
        () => planner.plan(parts, strategy, residency, host !== undefined).cost,
      );
      if (cost)
        return { kind: "resident", strategy, cost, isMeasured, ...reasoned(strategy, refusals, true) };
    }
  }
  if (!host) throw refusals[0]?.error ?? movesFields(wanted);
  const fields = new HostFields(await host());
  const planner = new Planner(fields, limitsOf(gpu, budget));
  if (!isAutomatic) {
    // Refuses what does not fit before anything runs.
    planner.plan(parts, wanted);
    return { kind: "host", strategy: wanted, fields, planner, ...reasoned(wanted, [], false) };
  }
  const choice = await fastest(gpu, planner, parts, budget);
  return {
    kind: "host",
    fields,
    planner,
    strategy: choice.strategy,
    ...reasoned(choice.strategy, choice.refusals, false),
  };
}

/** The strategy that is predicted to be done first, of those that fit. Throws TooLarge where none does. */
async function fastest(
  gpu: GpuContext,
  planner: Planner,
  parts: readonly Part[],
  budget: number,
): Promise<{ readonly strategy: StrategyName; readonly refusals: readonly Refusal[] }> {
  const rates = await deviceRates(gpu);
  const refusals: Refusal[] = [];
  let best: { strategy: StrategyName; ms: number } | undefined;
  for (const strategy of strategyNames) {
    const cost = attempt(strategy, refusals, () => planner.plan(parts, strategy).cost);
    if (!cost) continue;
    const ms = predictMs(cost, rates);
    // Streaming what fits at once costs the ghosts.
    if (!best || ms < best.ms) best = { strategy, ms };
  }
  if (best) return { strategy: best.strategy, refusals };
  throw nothingFits(
    refusals.map(({ error }) => error),
    budget,
  );
}

/** What `plan` gives; undefined where the strategy does not fit, which joins the refusals. */
function attempt(strategy: StrategyName, refusals: Refusal[], plan: () => RunCost): RunCost | undefined {
  try {
    return plan();
  } catch (error) {
    if (!(error instanceof CrinkleError) || error.tag !== "TooLarge") throw error;
    refusals.push({ strategy, error });
    return undefined;
  }
}

const movesFields = (strategy: StrategyName | "auto"): CrinkleError =>
  new CrinkleError({
    tag: "BadArgument",
    problem: `The strategy ${strategy} sends fields to the GPU and back; here they stay on it.`,
    remedy: "Choose fusion, staged or auto.",
  });
