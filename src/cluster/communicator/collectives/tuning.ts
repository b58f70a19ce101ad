import { type CostModel, stepMs } from "./cost-model.ts";
import { type Algorithm, type Planned, type PlanStep, plans } from "./plans.ts";

/** How fast messages are: one of n bytes is under way for `latencyMs + n / bytesPerMs` milliseconds, or as measured. */
export interface Rates {
  readonly latencyMs: number;
  readonly bytesPerMs: number;
  readonly costModel?: CostModel;
}

/** Algorithms to take whatever the model says. Where the operator forbids one, the model chooses among the others. */
export interface Forced {
  readonly bcast?: "binomial" | "scatterAllgather";
  readonly reduce?: "binomial" | "halving";
  readonly allreduce?: "doubling" | "halving" | "ring";
  readonly reduceScatter?: "halving" | "pairwise";
  /** Items of more bytes than this travel apart from the lists of their lengths. */
  readonly inlineLimit?: number;
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

/** The same, for ranks that are all near each other. */
export const withinGroups = (tuning: Tuning): Tuning => ({
  ...(tuning.within ?? betweenGroups(tuning)),
  forced: tuning.forced,
});

/** The same, for the groups' leaders. */
export const betweenGroups = ({ latencyMs, bytesPerMs, costModel, forced }: Tuning): Tuning => ({
  latencyMs,
  bytesPerMs,
  costModel,
  forced,
});

/**
 * Up to this size items are packed with others: that which takes as long to send as a message without bytes (the
 * half-bandwidth size), between 1 and 64 KiB.
 */
export function packedBytes({ latencyMs, bytesPerMs, forced }: Tuning): number {
  return forced?.inlineLimit ?? Math.min(2 ** 16, Math.max(2 ** 10, Math.floor(latencyMs * bytesPerMs)));
}

/** These combine in another order than that of ranks. */
const unordered: readonly string[] = ["ring", "pairwise"];

/**
 * The algorithm that takes least by the model: the sum over its steps of what a message of so many bytes takes while so
 * many are under way, and of what is combined. Where nothing was measured, α + β · bytes for each message, with α the
 * latency and β = 1 / rate.
 */
export function chooseAlgorithm<O extends Planned>(
  operation: O,
  size: number,
  bytes: number,
  isCommutative: boolean,
  { latencyMs, bytesPerMs, costModel, forced }: Tuning,
): Algorithm<O> {
  const isAllowed = (name: string) => isCommutative || !unordered.includes(name);
  const wanted: string | undefined = forced?.[operation];
  if (wanted !== undefined && isAllowed(wanted)) return wanted as Algorithm<O>;
  const msOf = (step: PlanStep) =>
    step.times *
    (costModel
      ? stepMs(costModel, step.atOnce, step.bytes, step.combined)
      : latencyMs + step.bytes / bytesPerMs);
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const [name, steps] of Object.entries<readonly PlanStep[]>(plans[operation](size, bytes))) {
    const time = steps.reduce((sum, step) => sum + msOf(step), 0);
    if (!isAllowed(name) || (best !== undefined && time >= least)) continue;
    best = name;
    least = time;
  }
  return best as Algorithm<O>;
}
