import type { Value } from "../../cluster/communicator/communicator.ts";
import type { Job } from "../../cluster/jobs/service.ts";
import { badMessage } from "../../cluster/wire/frame.ts";
import type { LatticeState, ModelRun } from "../../core/lattice/run.ts";
import type { RankTrace } from "../../core/rank-trace.ts";
import { takeTurn } from "./job-turn.ts";
import { isLengths, isWhole, type NamedNumbers, parseRun, type RunRequest } from "./lattice-request.ts";
import { parseIndex } from "./pieces.ts";
import type { RankEngine } from "./rank-engine.ts";
import type { RankWork } from "./rank-report.ts";
import { recordedRun } from "./recorded-run.ts";

export interface LatticeRequest extends RunRequest {
  readonly [name: string]: Value;
  /** The fastest axis first. */
  readonly size: readonly number[];
  /** Never where it is null. */
  readonly structureEvery: number | null;
  /** The path of the index (.pvti) of pieces that the ranks write of the last state; null to gather it. */
  readonly index: string | null;
}

const indexFormats = ["pvti"] as const;

/** A run of a model by ranks that have layers of its lattice. */
export interface RankedLatticeRun extends ModelRun {
  readonly parameters: NamedNumbers;
  /** None where ranks have written them. */
  readonly fields: LatticeState;
  /** What each rank did; its share is the part of the layers that it has. */
  readonly ranks: readonly (RankWork & { readonly share: number })[];
  readonly trace: RankTrace;
  readonly notes: readonly string[];
}

/** Runs a model on a lattice of which each rank has layers, and measures it. */
export const latticeJob: Job<LatticeRequest, RankedLatticeRun | undefined, RankEngine> = {
  name: "lattice",

  parse(value) {
    const request = (value ?? {}) as Readonly<Record<string, Value>>;
    const { size, structureEvery, index } = request;
    if (!isLengths(size)) throw badMessage("a simulation on no lattice");
    if (structureEvery !== null && !isWhole(structureEvery, 1))
      throw badMessage("structure factors after no sweeps");
    if (index !== null) parseIndex(index, indexFormats);
    return { ...parseRun(request), size, structureEvery, index: index as string | null };
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
