/** How fast messages are: one of n bytes is under way for `latencyMs + n / bytesPerMs` milliseconds. */
export interface Rates {
  readonly latencyMs: number;
  readonly bytesPerMs: number;
}

/** Algorithms to take whatever the model says. Those that order or counts forbid give way to one that they allow. */
export interface Forced {
  readonly bcast?: "binomial" | "scatterAllgather";
  readonly reduce?: "binomial" | "halving";
  readonly allreduce?: "doubling" | "halving" | "ring";
  readonly reduceScatter?: "halving" | "pairwise";
}

/**
 * What algorithms are chosen by. All ranks must have the same, for they choose alike without asking: measure, then
 * broadcast.
 */
export interface Tuning extends Rates {
  /** The browser or host of each rank, as a number. Where they are given, messages go within groups first. */
  readonly groups?: readonly number[];
  /** Within groups; left out, as between them. */
  readonly within?: Rates;
  readonly forced?: Forced;
}
