/** How fast messages are: one of n bytes is under way for `latencyMs + n / bytesPerMs` milliseconds. */
export interface Rates {
  readonly latencyMs: number;
  readonly bytesPerMs: number;
}

/** Algorithms to take whatever the model says. Where the operator forbids one, the model chooses among the others. */
export interface Forced {
  readonly bcast?: "binomial" | "scatterAllgather";
  readonly reduce?: "binomial" | "halving";
  readonly allreduce?: "doubling" | "halving" | "ring";
  readonly reduceScatter?: "halving" | "pairwise";
  /** Items of more bytes than this travel apart from the lists of their lengths. */
  readonly packedBytes?: number;
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
export const nearby = ({ within, latencyMs, bytesPerMs, forced }: Tuning): Tuning => ({
  ...(within ?? { latencyMs, bytesPerMs }),
  forced,
});

/** The same, for the groups' leaders. */
export const afar = ({ latencyMs, bytesPerMs, forced }: Tuning): Tuning => ({
  latencyMs,
  bytesPerMs,
  forced,
});

/**
 * Up to this size items are packed with others: that which takes as long to send as a message without bytes (the
 * half-bandwidth size), between 1 and 64 KiB.
 */
export function packedBytes({ latencyMs, bytesPerMs, forced }: Tuning): number {
  return forced?.packedBytes ?? Math.min(2 ** 16, Math.max(2 ** 10, Math.floor(latencyMs * bytesPerMs)));
}

/** Messages that a rank waits for one after the other, and the bytes in them: what an algorithm takes. */
interface Cost {
  readonly messages: number;
  readonly bytes: number;
}

/** Ranks as the algorithms see them: steps of a tree, the largest power of two, its steps, and whether ranks are over. */
function shape(size: number) {
  const steps = Math.ceil(Math.log2(size));
  const doublings = Math.floor(Math.log2(size));
  const power = 2 ** doublings;
  return { steps, doublings, power, over: power === size ? 0 : 1 };
}

/** Each operation's algorithms for n bytes on p ranks, those for short messages first. */
const costs = {
  bcast: (p: number, n: number) => ({
    binomial: { messages: shape(p).steps, bytes: shape(p).steps * n },
    scatterAllgather: { messages: shape(p).steps + p - 1, bytes: 2 * share(p) * n },
  }),
  reduce: (p: number, n: number) => {
    const { steps, doublings, power, over } = shape(p);
    return {
      binomial: { messages: steps, bytes: steps * n },
      halving: { messages: 2 * doublings + over, bytes: 2 * share(power) * n + over * n },
    };
  },
  allreduce: (p: number, n: number) => {
    const { doublings, power, over } = shape(p);
    return {
      doubling: { messages: doublings + 2 * over, bytes: (doublings + 2 * over) * n },
      halving: { messages: 2 * doublings + 2 * over, bytes: 2 * share(power) * n + 2 * over * n },
      ring: { messages: 2 * (p - 1), bytes: 2 * share(p) * n },
    };
  },
  reduceScatter: (p: number, n: number) => {
    const { doublings, power, over } = shape(p);
    return {
      // It lays the array out first, which takes about as long as sending it.
      halving: { messages: doublings + 2 * over, bytes: n + share(power) * n + over * (n + n / p) },
      // Its messages overlap: this much is left of their latency, by measurement.
      pairwise: { messages: (2 / 3) * (p - 1), bytes: share(p) * n },
    };
  },
} as const;

const share = (p: number) => (p - 1) / p;

/** These combine in another order than that of ranks. */
const unordered: readonly string[] = ["ring", "pairwise"];

type Costs = typeof costs;
export type Algorithm<O extends keyof Costs> = keyof ReturnType<Costs[O]> & string;

/**
 * The algorithm that takes least by the model: a message costs α + β · bytes, with α the latency and β = 1 / rate; what
 * combining costs is left out, being the same for all.
 */
export function choose<O extends keyof Costs>(
  operation: O,
  size: number,
  bytes: number,
  isCommutative: boolean,
  { latencyMs, bytesPerMs, forced }: Tuning,
): Algorithm<O> {
  const isAllowed = (name: string) => isCommutative || !unordered.includes(name);
  const wanted: string | undefined = forced?.[operation];
  if (wanted !== undefined && isAllowed(wanted)) return wanted as Algorithm<O>;
  let best: string | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const [name, cost] of Object.entries<Cost>(costs[operation](size, bytes))) {
    const time = cost.messages * latencyMs + cost.bytes / bytesPerMs;
    if (!isAllowed(name) || (best !== undefined && time >= least)) continue;
    best = name;
    least = time;
  }
  return best as Algorithm<O>;
}
