import type { Simulated, SimulateOptions, Varied, VaryOptions } from "./lattice-api.ts";
import type { RankReport, RankTrace } from "./ranks.ts";

export interface RankedSimulateOptions extends Omit<SimulateOptions, "device"> {
  /**
   * An index (.pvti) of up to three axes: each rank writes the last state of its layers in a piece beside it, and the result has no fields.
   * The other ranks may write in the `out` of `openRanks` alone.
   */
  readonly out?: string;
  /** So many ranks were lost, since the call before or in the middle of this one; the others compute their parts, too. */
  onLost?(count: number): void;
}

type Work = Pick<RankReport, "rank" | "device" | "sent" | "received" | "messages" | "ms">;

/** A run of a model by several ranks. */
export interface RankedSimulated extends Omit<Simulated, "report"> {
  /** What each rank did. Its share is the part of the lattice that it has, from 0 to 1. */
  readonly ranks: readonly (Work & { readonly share: number })[];
  readonly trace: RankTrace;
}

export interface RankedVaryOptions extends Omit<VaryOptions, "device" | "onPoint"> {
  /** So many ranks were lost, since the call before or in the middle of this one; the others compute their parts, too. */
  onLost?(count: number): void;
}

/** Runs of one parameter's values, which ranks have shared. */
export interface RankedVaried extends Omit<Varied, "report" | "notes"> {
  /** What each rank did, with the number of points that it measured. */
  readonly ranks: readonly (Work & { readonly points: number })[];
  readonly trace: RankTrace;
}
