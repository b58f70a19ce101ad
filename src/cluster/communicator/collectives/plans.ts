/**
 * A step of an algorithm: how many messages are in flight, how long they are, and how many bytes each
 * receiver combines.
 */
export interface PlanStep {
  readonly atOnce: number;
  readonly bytes: number;
  readonly combined: number;
  /** How often the step is repeated, one after the other. */
  readonly times: number;
}

const step = (atOnce: number, bytes: number, combined = 0, times = 1): PlanStep => ({
  atOnce,
  bytes,
  combined,
  times,
});

/**
 * The sizes that algorithms work with: levels of a tree, the largest power of two with its doublings, and
 * the number of extra ranks.
 */
function shape(size: number) {
  const doublings = Math.floor(Math.log2(size));
  const power = 2 ** doublings;
  return { levels: Math.ceil(Math.log2(size)), doublings, power, over: size - power };
}

/** `count` steps, the k-th as given. */
const steps = (count: number, of: (k: number) => PlanStep): PlanStep[] =>
  Array.from({ length: count }, (_, k) => of(k));

/** One step if the number of ranks is not a power of two. */
const fold = (over: number, bytes: number, combined = 0): PlanStep[] =>
  over > 0 ? [step(over, bytes, combined)] : [];

/**
 * Each operation's algorithms for n bytes on p ranks, as lists of steps; those for short messages come
 * first.
 */
export const plans = {
  bcast: (p: number, n: number) => {
    const { levels } = shape(p);
    return {
      binomial: steps(levels, (k) => step(Math.min(2 ** k, p - 2 ** k), n)),
      scatterAllgather: [
        ...steps(levels, (k) => step(Math.min(2 ** k, p - 2 ** k), n / 2 ** (k + 1))),
        step(p, n / p, 0, p - 1),
      ],
    };
  },
  reduce: (p: number, n: number) => {
    const { levels, doublings, power, over } = shape(p);
    return {
      binomial: steps(levels, (k) => step(Math.ceil(p / 2 ** (k + 1)), n, n)),
      halving: [
        ...fold(over, n, n),
        // Allocating the whole array takes about as long as combining it.
        ...steps(doublings, (k) => step(power, n / 2 ** (k + 1), n / 2 ** (k + 1) + (k === 0 ? n : 0))),
        ...steps(doublings, (k) => step(power / 2 ** (k + 1), (n / power) * 2 ** k)),
      ],
    };
  },
  allreduce: (p: number, n: number) => {
    const { doublings, power, over } = shape(p);
    return {
      doubling: [...fold(over, n, n), step(power, n, n, doublings), ...fold(over, n)],
      halving: [
        ...fold(over, n, n),
        ...steps(doublings, (k) => step(power, n / 2 ** (k + 1), n / 2 ** (k + 1))),
        ...steps(doublings, (k) => step(power, (n / power) * 2 ** k)),
        ...fold(over, n),
      ],
      ring: [step(p, n / p, n / p, p - 1), step(p, n / p, 0, p - 1)],
    };
  },
  reduceScatter: (p: number, n: number) => {
    const { doublings, power, over } = shape(p);
    return {
      halving: [
        ...fold(over, n, n),
        // Laying out the array takes about as long as combining it.
        ...steps(doublings, (k) => step(power, n / 2 ** (k + 1), n / 2 ** (k + 1) + (k === 0 ? n : 0))),
        ...fold(over, n / p),
      ],
      pairwise: [step(p, n / p, n / p, p - 1)],
    };
  },
} as const;

export type Planned = keyof typeof plans;
export type Algorithm<O extends Planned> = keyof ReturnType<(typeof plans)[O]> & string;
