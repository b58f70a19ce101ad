/** A run of a model on some device: sweeps in batches, with what is measured. */
import { cancelled } from "../errors.ts";
import { countOf } from "../hypercube/shape.ts";
import type { LatticeModel, LatticePlan, Numbers } from "./model.ts";
import type { Simulation } from "./simulation.ts";
import { type Measured, measuresOf } from "./statistics.ts";
import { type MeasuredStructure, StructureSamples } from "./structure-samples.ts";
import { SweepBatches } from "./sweep-batches.ts";

export interface RunOptions {
  readonly parameters: Numbers;
  readonly sweeps: number;
  /** Sweeps at the beginning that do not count in measures. */
  readonly discard: number;
  /** Sweeps after each of which the structure factor of the first field is taken (never). */
  readonly structureEvery?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Is called with the number of sweeps that are done. */
  readonly onProgress?: ((sweeps: number) => void) | undefined;
}

export interface ModelRun {
  readonly measures: Readonly<Record<string, Measured>>;
  /** The quantities of each sweep, the discarded ones included. */
  readonly series: readonly Numbers[];
  readonly structure: MeasuredStructure | undefined;
}

/** Fields' values, site by site, by their names. */
export type LatticeState = Readonly<
  Record<
    string,
    { readonly components: number; readonly values: Int8Array<ArrayBuffer> | Float32Array<ArrayBuffer> }
  >
>;

/** All fields of a plan, one after the other. */
export async function stateOf(plan: LatticePlan, simulation: Simulation): Promise<LatticeState> {
  const read: [string, LatticeState[string]][] = [];
  for (const [name, { components }] of Object.entries(plan.fields)) {
    read.push([name, { components, values: await simulation.field(name) }]);
  }
  return Object.fromEntries(read);
}

/** Each quantity's values, sweep after sweep. */
export const columnsOf = (series: readonly Numbers[]): Record<string, Float64Array<ArrayBuffer>> =>
  Object.fromEntries(
    Object.keys(series[0]).map((name) => [name, Float64Array.from(series, (of) => of[name])]),
  );

/** Throws Cancelled, and what the simulation throws. */
export async function runModel(
  model: LatticeModel,
  plan: LatticePlan,
  simulation: Simulation,
  { parameters, sweeps, discard, structureEvery = sweeps + 1, signal, onProgress }: RunOptions,
): Promise<ModelRun> {
  const [shown, { components }] = Object.entries(plan.fields)[0];
  const samples =
    structureEvery > sweeps ? undefined : new StructureSamples(plan.lengths, structureEvery, discard);
  const taken: Numbers[] = [];
  const batches = new SweepBatches();
  while (taken.length < sweeps) {
    if (signal?.aborted) throw cancelled("The simulation");
    const untilSample = structureEvery - (taken.length % structureEvery);
    await batches.next(Math.min(untilSample, sweeps - taken.length), async (count) => {
      for (const sums of await simulation.run(count, parameters)) taken.push(sums);
      if (samples && taken.length % structureEvery === 0) {
        samples.add(taken.length, await simulation.field(shown), components);
      }
      onProgress?.(taken.length);
    });
  }
  const series = taken.map(plan.quantitiesOf);
  return {
    measures: measuresOf(model, series.slice(discard), { sites: countOf(plan.lengths), parameters }),
    series,
    structure: samples?.measured(),
  };
}
