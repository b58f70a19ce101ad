import type { Value } from "../../cluster/communicator/communicator.ts";
import type { Job } from "../../cluster/jobs/service.ts";
import { badMessage } from "../../cluster/wire/frame.ts";
import type { LatticeState, ModelRun } from "../../core/lattice/run.ts";
import type { RankTrace } from "../../core/rank-trace.ts";
import { takeTurn } from "./job-turn.ts";
import type { RankEngine } from "./rank-engine.ts";
import type { RankWork } from "./rank-report.ts";
import { recordedRun } from "./recorded-run.ts";

export interface LatticeRequest {
  readonly [name: string]: Value;
  readonly model: string;
  /** The fastest axis first. */
  readonly size: readonly number[];
  readonly sweeps: number;
  readonly seed: number;
  /** Those that differ from the model's defaults. */
  readonly parameters: { readonly [name: string]: number };
  /** The model's usual one where it is null. */
  readonly start: string | null;
  readonly discard: number;
  /** Never where it is null. */
  readonly structureEvery: number | null;
}

/** A run of a model by ranks that have layers of its lattice. */
export interface RankedLatticeRun extends ModelRun {
  readonly parameters: { readonly [name: string]: number };
  readonly fields: LatticeState;
  /** What each rank did; its share is the part of the layers that it has. */
  readonly ranks: readonly (RankWork & { readonly share: number })[];
  readonly trace: RankTrace;
  readonly notes: readonly string[];
}

const isWhole = (value: Value | undefined, min: number): value is number =>
  typeof value === "number" && Number.isSafeInteger(value) && value >= min;

const isNumbers = (value: Value | undefined): value is { readonly [name: string]: number } =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  Object.values(value).every((number) => typeof number === "number");

/** Runs a model on a lattice of which each rank has layers, and measures it. */
export const latticeJob: Job<LatticeRequest, RankedLatticeRun | undefined, RankEngine> = {
  name: "lattice",

  parse(value) {
    const { model, size, sweeps, seed, parameters, start, discard, structureEvery } = (value ??
      {}) as Readonly<Record<string, Value>>;
    if (typeof model !== "string") throw badMessage("a simulation of no model");
    if (!Array.isArray(size) || !size.every((length) => isWhole(length, 1)))
      throw badMessage("a simulation on no lattice");
    if (!isWhole(sweeps, 1) || !isWhole(seed, 0) || !isWhole(discard, 0) || discard >= sweeps)
      throw badMessage("a simulation of no sweeps");
    if (!isNumbers(parameters)) throw badMessage("parameters that are no numbers");
    if (start !== null && typeof start !== "string") throw badMessage("a start without a name");
    if (structureEvery !== null && !isWhole(structureEvery, 1))
      throw badMessage("structure factors after no sweeps");
    return { model, size, sweeps, seed, parameters, start, discard, structureEvery };
  },

  run(call, request) {
    const title = "Simulate on ranks";
    return takeTurn(call, title, async (job) => {
      const run = recordedRun(call, job, title);
      const { simulateOnRanks } = await import("./lattice/simulate-on-ranks.ts");
      return simulateOnRanks(run, request);
    });
  },
};
