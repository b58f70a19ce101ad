import type { Simulated, SimulateOptions } from "./lattice-api.ts";
import type { RankReport, RankTrace } from "./ranks.ts";

export interface RankedSimulateOptions extends Omit<SimulateOptions, "device"> {
  /** So many ranks were lost; the others begin again. */
  onLost?(count: number): void;
}

/** A run of a model by several ranks. */
export interface RankedSimulated extends Omit<Simulated, "report"> {
  /** What each rank did. Its share is the part of the lattice that it has, from 0 to 1. */
  readonly ranks: readonly Pick<
    RankReport,
    "rank" | "device" | "share" | "sent" | "received" | "messages" | "ms"
  >[];
  readonly trace: RankTrace;
}
