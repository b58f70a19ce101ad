import type { Value } from "../../cluster/communicator/communicator.ts";
import type { Job } from "../../cluster/jobs/service.ts";
import { badMessage } from "../../cluster/wire/frame.ts";
import type { VariedPoint } from "../../core/lattice/vary.ts";
import type { RankTrace } from "../../core/rank-trace.ts";
import { takeTurn } from "./job-turn.ts";
import { isLengths, parseRun, type RunRequest } from "./lattice-request.ts";
import type { RankEngine } from "./rank-engine.ts";
import type { RankWork } from "./rank-report.ts";
import { recordedRun } from "./recorded-run.ts";

export interface VaryRequest extends RunRequest {
  readonly [name: string]: Value;
  readonly sizes: readonly (readonly number[])[];
  /** The parameter that varies, and its values. */
  readonly parameter: string;
  readonly values: readonly number[];
}

/** A variation whose runs ranks have shared. */
export interface RankedVariation {
  readonly points: readonly VariedPoint[];
  /** What each rank did, with the number of points that it measured. */
  readonly ranks: readonly (RankWork & { readonly points: number })[];
  readonly trace: RankTrace;
}

/** Measures a model at several values of a parameter and on several sizes, each by one of the ranks. */
export const varyJob: Job<VaryRequest, RankedVariation | undefined, RankEngine> = {
  name: "vary",

  parse(value) {
    const request = (value ?? {}) as Readonly<Record<string, Value>>;
    const { sizes, parameter, values } = request;
    if (!Array.isArray(sizes) || !sizes.every(isLengths)) throw badMessage("a variation on no lattice");
    if (typeof parameter !== "string") throw badMessage("a variation of no parameter");
    if (!Array.isArray(values) || !values.every((number) => typeof number === "number"))
      throw badMessage("values that are no numbers");
    return { ...parseRun(request), sizes, parameter, values };
  },

  run(call, request) {
    const title = "Vary a model on ranks";
    return takeTurn(call, title, async (job) => {
      const run = recordedRun(call, job, title);
      const { varyOnRanks } = await import("./lattice/vary-on-ranks.ts");
      return varyOnRanks(run, request);
    });
  },
};
