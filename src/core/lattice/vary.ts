/** Runs of a model at several values of a parameter and on several sizes, as phase transitions are found by. */
import type { LatticeModel, LatticePlan, Numbers } from "./model.ts";
import { parametersOf, startNamed } from "./models.ts";
import { runModel } from "./run.ts";
import type { Simulation, SimulationOptions } from "./simulation.ts";
import type { Measured } from "./statistics.ts";

export interface Variation {
  readonly sizes: readonly (readonly number[])[];
  /** The parameter that varies, and its values. */
  readonly parameter: string;
  readonly values: readonly number[];
  /** The other parameters, where they differ from the model's defaults on these axes. */
  readonly parameters: Numbers;
  /** Of each run. */
  readonly sweeps: number;
  readonly discard: number;
  /** Of the first run; each run has the next seed. */
  readonly seed: number;
  /** The model's usual one where it is undefined. */
  readonly start: string | undefined;
}

export interface VariedPoint {
  readonly size: readonly number[];
  /** Of the parameter that varies. */
  readonly value: number;
  readonly measures: Readonly<Record<string, Measured>>;
}

export type OpenSimulation = (plan: LatticePlan, options: SimulationOptions) => Promise<Simulation>;

export interface VaryOptions {
  readonly signal?: AbortSignal | undefined;
  /** Is called with each point, in order, and with the part of all sweeps that is done, from 0 to 1. */
  readonly onPoint?: ((point: VariedPoint) => void) | undefined;
  readonly onProgress?: ((fraction: number) => void) | undefined;
}

/** The two words of a seed, a whole number from 0 on. */
export const seedWords = (seed: number): readonly [number, number] => [
  seed % 2 ** 32,
  Math.floor(seed / 2 ** 32),
];

/** A run of a variation. */
export interface VariedRun {
  readonly size: readonly number[];
  readonly value: number;
  readonly parameters: Numbers;
  readonly plan: LatticePlan;
  readonly seed: number;
  readonly start: string;
}

/** All values on the first size, then on the next. Throws UnknownName, and BadArgument for what is wrong with any of the runs. */
export function variedRuns(
  model: LatticeModel,
  { sizes, parameter, values, parameters: given, seed, start = model.start }: Variation,
): readonly VariedRun[] {
  return sizes
    .flatMap((size) => values.map((value) => ({ size, value })))
    .map(({ size, value }, k) => {
      const parameters = parametersOf(model, { ...given, [parameter]: value }, size.length);
      const plan = model.on(size, parameters);
      startNamed(plan, start);
      plan.constantsOf(parameters);
      return { size, value, parameters, plan, seed: seed + k, start };
    });
}

/** Measures one of them. Throws Cancelled, too, and what simulations throw. */
export async function measureVaried(
  model: LatticeModel,
  { sweeps, discard }: Pick<Variation, "sweeps" | "discard">,
  { size, value, parameters, plan, seed, start }: VariedRun,
  open: OpenSimulation,
  watch: { readonly signal?: AbortSignal | undefined; readonly onProgress?: (sweeps: number) => void },
): Promise<VariedPoint> {
  const simulation = await open(plan, { seed: seedWords(seed), start, parameters });
  try {
    const { measures } = await runModel(model, plan, simulation, { parameters, sweeps, discard, ...watch });
    return { size, value, measures };
  } finally {
    simulation.dispose();
  }
}

/**
 * Measures all runs of a variation one after the other. What is wrong with any of them is thrown before the first of them: UnknownName,
 * BadArgument. Throws Cancelled, too, and what simulations throw.
 */
export async function varyModel(
  model: LatticeModel,
  variation: Variation,
  open: OpenSimulation,
  { signal, onPoint, onProgress }: VaryOptions = {},
): Promise<readonly VariedPoint[]> {
  const runs = variedRuns(model, variation);
  const points: VariedPoint[] = [];
  for (const [k, run] of runs.entries()) {
    const point = await measureVaried(model, variation, run, open, {
      signal,
      onProgress: (done) => onProgress?.((k + done / variation.sweeps) / runs.length),
    });
    points.push(point);
    onPoint?.(point);
  }
  return points;
}
