import { type CostModel, stepMs } from "./cost-model.ts";
import { type Algorithm, type Planned, type PlanStep, plans } from "./plans.ts";

/** Message rates: n bytes take `latencyMs + n / bytesPerMs` milliseconds, or what was measured. */
export interface Rates {
  readonly latencyMs: number;
  readonly bytesPerMs: number;
  readonly costModel?: CostModel;
}

/**
 * Algorithms to use regardless of the model. If the operator rules one out, the model chooses among the
 * others.
 */
export interface Forced {
  readonly bcast?: "binomial" | "scatterAllgather";
  readonly reduce?: "binomial" | "halving";
  readonly allreduce?: "doubling" | "halving" | "ring";
  readonly reduceScatter?: "halving" | "pairwise";
  /** Items longer than this are not inline in packets. */
  readonly inlineLimit?: number;
}

/**
 * What algorithms are chosen by. All ranks must hold the same tuning, because they choose without asking
 * each other: measure, then broadcast.
 */
export interface Tuning extends Rates {
  /** The browser or host of each rank, as a number. If given, messages go within groups first. */
  readonly groups?: readonly number[];
  /** Rates within groups; if left out, the same as between them. */
  readonly within?: Rates;
  readonly forced?: Forced;
}

/** The tuning within a group of nearby ranks. */
export const withinGroups = (tuning: Tuning): Tuning => ({
  ...(tuning.within ?? betweenGroups(tuning)),
  forced: tuning.forced,
});

/** The tuning between the groups' leaders. */
export const betweenGroups = ({ latencyMs, bytesPerMs, costModel, forced }: Tuning): Tuning => ({
  latencyMs,
  bytesPerMs,
  costModel,
  forced,
});

/**
 * Items of up to this many bytes are packed with others: a message of this length takes twice as long as an
 * empty one (the half-bandwidth size), clamped to 1 … 64 KiB.
 */
export function inlineLimit({ latencyMs, bytesPerMs, forced }: Tuning): number {
  return forced?.inlineLimit ?? Math.min(2 ** 16, Math.max(2 ** 10, Math.floor(latencyMs * bytesPerMs)));
}

/** These combine operands in an order other than that of ranks. */
const unordered: readonly string[] = ["ring", "pairwise"];

/**
 * The algorithm with the lowest cost by the model: the sum over its steps of the time for that many
 * messages of that length in flight, and of combining. Without measurements, α + β · bytes for each
 * message, with α the latency and β = 1 / rate.
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
