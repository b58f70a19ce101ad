import type { RankTimes, Traffic } from "../../core/rank-trace.ts";
import type { RunCost } from "../../core/run-cost.ts";

/** What one rank did for a result. */
export interface RankWork extends Traffic {
  readonly rank: number;
  /** "NVIDIA H200", or "CPU". */
  readonly device: string;
  /** Together they are the time from its turn to the end of the slowest rank. */
  readonly ms: RankTimes;
}

/** What one rank did for a result of a grid. What counts on devices is of evaluating expressions and making surfaces: 0 on a CPU. */
export interface RankReport extends RankWork, RunCost {
  /** Its cells along x, y and z: the first one and the one behind the last. */
  readonly block: readonly (readonly [first: number, end: number])[];
  /** The part of the grid's nodes that are the rank's own, from 0 to 1. */
  readonly share: number;
  /** Its speed relative to the ranks' mean, where it has got its layers by that. */
  readonly speed?: number;
  /** Of files, by the rank itself: its part of the fields and the header, or the whole of a file that has no parts. */
  readonly bytesRead: number;
}
