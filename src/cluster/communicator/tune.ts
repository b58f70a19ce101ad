import type { Curve } from "./collectives/cost-model.ts";
import type { Rates, Tuning } from "./collectives/tuning.ts";
import type { Communicator } from "./communicator.ts";
import { add, max } from "./operators/elements.ts";

/** Sizes of the timed messages in bytes, ascending. The longer ones are only timed over fast links. */
const sizes = [8, 2 ** 15, 2 ** 18, 2 ** 20];

/** Approximate milliseconds for all trials of one size; longer messages are skipped if these take more. */
const budgetMs = 6;
const [minTrials, maxTrials] = [3, 7];

/** Untimed steps at the start: code gets compiled and connections get up to speed. */
const warmUps = 8;

/** Measured times are clamped to this range, in milliseconds per message. */
const [minMs, maxMs] = [1e-6, 1e6];

/**
 * Measures message times between the ranks and derives the tuning, the same on all of them. With several
 * groups, measures between groups and within them in turn. All ranks call it at once; nothing else may be
 * in progress. `now`: milliseconds since an arbitrary origin.
 */
export async function measureTuning(
  communicator: Communicator,
  { groups, forced, ...known }: Tuning,
  now: () => number,
): Promise<Tuning> {
  const { rank, size } = communicator;
  if (size === 1) return { groups, forced, ...known };
  const all = Array.from({ length: size }, (_, k) => k);
  const numbers = [...new Set(groups ?? [0])];
  const lists = numbers.map((group) => all.filter((k) => (groups?.[k] ?? 0) === group));
  const own = lists.find((ranks) => ranks.includes(rank)) ?? all;
  const most = Math.max(...lists.map((ranks) => ranks.length));
  if (lists.length === 1 || most === 1) {
    return { groups, forced, ...(await measureAmong(communicator, all, size, now)) };
  }
  const leaders = lists.map(([first]) => first);
  const between = await measureAmong(communicator, leaders, leaders.length, now);
  return { groups, forced, ...between, within: await measureAmong(communicator, own, most, now) };
}

/**
 * `ranks`: those that this rank measures with, if it is one of them; `most`: the largest number that
 * measure together.
 */
async function measureAmong(
  communicator: Communicator,
  ranks: readonly number[],
  most: number,
  now: () => number,
): Promise<Rates> {
  /** The median of the slowest rank's times. */
  const agreed = async (ms: readonly number[]) => {
    const slowest = await communicator.allreduce<Float64Array>(Float64Array.from(ms), max);
    const sound = Array.from(slowest, (one) => (one >= minMs ? Math.min(one, maxMs) : minMs));
    return sound.toSorted((a, b) => a - b)[sound.length >> 1];
  };
  const alone: [number, number][] = [];
  const together: [number, number][] = [];
  for (const bytes of sizes) {
    const team = new TimingGroup(communicator, ranks, bytes, now);
    if (together.length === 0) await team.together(warmUps);
    const once = await agreed(await team.together(1));
    const trials = Math.min(Math.max(Math.floor(budgetMs / 2 / once), minTrials), maxTrials);
    const all = await agreed(await team.together(trials));
    const lone = await agreed(await team.alone(trials));
    together.push([bytes, Math.max(all, together.at(-1)?.[1] ?? 0)]);
    alone.push([bytes, Math.max(lone, alone.at(-1)?.[1] ?? 0)]);
    if (all * minTrials > budgetMs) break;
  }
  const combining = await agreed(timesOfCombining(now));
  return { ...ratesOf(alone), costModel: { ranks: most, alone, together, combining } };
}

/** A line from the shortest message to the longest. */
function ratesOf(curve: Curve): Rates {
  const [fromBytes, latencyMs] = curve[0];
  const [toBytes, ms] = curve[curve.length - 1];
  return { latencyMs, bytesPerMs: (toBytes - fromBytes) / Math.max(ms - latencyMs, minMs) };
}

/** Several measurements of the time to add numbers, in milliseconds per byte. */
function timesOfCombining(now: () => number): number[] {
  const [a, b] = [new Float32Array(2 ** 14), new Float32Array(2 ** 14)];
  return Array.from({ length: 25 }, () => {
    const start = now();
    add.combine?.(a, b, 0, b.length);
    return (now() - start) / b.byteLength;
  });
}

/** Ranks that time messages of one size with each other. */
class TimingGroup {
  readonly #communicator: Communicator;
  readonly #ranks: readonly number[];
  readonly #index: number;
  readonly #now: () => number;
  readonly #out: Uint8Array;
  readonly #into: Uint8Array;

  constructor(communicator: Communicator, ranks: readonly number[], bytes: number, now: () => number) {
    this.#communicator = communicator;
    this.#ranks = ranks;
    this.#index = ranks.length > 1 ? ranks.indexOf(communicator.rank) : -1;
    this.#now = now;
    this.#out = new Uint8Array(bytes);
    this.#into = new Uint8Array(bytes);
  }

  /**
   * Milliseconds per step in which each rank sends one message and receives one, at distances of 1, 2, 4
   * and so on.
   */
  together(trials: number): Promise<number[]> {
    const { length } = this.#ranks;
    const levels = Math.max(Math.ceil(Math.log2(length)), 1);
    return this.#time(trials, (k) => {
      if (this.#index < 0) return [];
      const distance = 2 ** (k % levels);
      return [
        this.#communicator.send(this.#ranks[(this.#index + distance) % length], this.#out),
        this.#communicator.recvInto(this.#into, this.#ranks[(this.#index - distance + length) % length]),
      ];
    });
  }

  /** Milliseconds of a message from the first rank to the middle one, or back, while the others wait. */
  async alone(trials: number): Promise<number[]> {
    const communicator = this.#communicator;
    const middle = this.#ranks.length >> 1;
    const times = await this.#time(trials, () => {
      if (this.#index !== 0 && this.#index !== middle) return [];
      const other = this.#ranks[this.#index === 0 ? middle : 0];
      const received = communicator.recvInto(this.#into, other);
      const before = this.#index === 0 ? undefined : received;
      return [received, Promise.resolve(before).then(() => communicator.send(other, this.#out))];
    });
    return times.map((ms) => ms / 2);
  }

  /** Each trial begins on all ranks at once. */
  async #time(trials: number, start: (k: number) => readonly Promise<unknown>[]): Promise<number[]> {
    const times: number[] = [];
    for (let k = 0; k < trials; k++) {
      await this.#communicator.barrier();
      const from = this.#now();
      await Promise.all(start(k));
      times.push(this.#now() - from);
    }
    return times;
  }
}
