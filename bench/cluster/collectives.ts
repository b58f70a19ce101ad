import {
  chooseAlgorithm,
  type Forced,
  type Tuning,
} from "../../src/cluster/communicator/collectives/tuning.ts";
import type { Communicator } from "../../src/cluster/communicator/communicator.ts";
import { communicatorOf } from "../../src/cluster/communicator/group-communicator.ts";
import { add, max } from "../../src/cluster/communicator/operators/elements.ts";
import { measureTuning } from "../../src/cluster/communicator/tune.ts";
import type { World } from "../../src/cluster/communicator/world.ts";

/** The timed operations with their algorithms. */
export const algorithms = {
  allreduce: ["doubling", "halving", "ring"],
  alltoall: ["pairwise"],
  bcast: ["binomial", "scatterAllgather"],
  reduce: ["binomial", "halving"],
  reduceScatter: ["halving", "pairwise"],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type Operation = keyof typeof algorithms;

/** Median times of one operation's algorithms on arrays of this many bytes. */
export interface CollectiveMeasurement {
  readonly path: string;
  readonly ranks: number;
  readonly operation: Operation;
  readonly bytes: number;
  readonly ms: Readonly<Record<string, number>>;
  /** The algorithm that the model chooses. */
  readonly chosen: string;
  /** What it was chosen by. */
  readonly tuning: Tuning;
}

interface Order {
  readonly [name: string]: string | number;
  readonly operation: Operation;
  readonly bytes: number;
  readonly rounds: number;
}

export interface CollectiveOptions {
  readonly operations: readonly Operation[];
  readonly sizes: readonly number[];
  /** Approximate milliseconds for each operation and size; each algorithm runs at least `minRounds` times. */
  readonly budgetMs: number;
  readonly minRounds: number;
}

/** What all ranks but the first do until it has measured everything. */
export async function participate(world: World): Promise<void> {
  const orders = communicatorOf(world);
  const tuning = await measureTuning(orders, world.tuning, performance.now.bind(performance));
  for (;;) {
    const order = await orders.bcast<Order | null>(undefined, 0);
    if (order === null) return;
    await time(world, tuning, order);
  }
}

/** What rank 0 does: it has each operation timed at each size. */
export async function measureCollectives(
  path: string,
  world: World,
  { operations, sizes, budgetMs, minRounds }: CollectiveOptions,
): Promise<readonly CollectiveMeasurement[]> {
  const orders = communicatorOf(world);
  const tuning = await measureTuning(orders, world.tuning, performance.now.bind(performance));
  const timed = async (order: Order) => {
    await orders.bcast<Order>(order, 0);
    return time(world, tuning, order);
  };
  const measurements: CollectiveMeasurement[] = [];
  for (const operation of operations) {
    for (const bytes of sizes) {
      const trial = Object.values(await timed({ operation, bytes, rounds: 3 }));
      const once = trial.reduce((sum, ms) => sum + ms, 0);
      const rounds = Math.min(Math.max(Math.round(budgetMs / once), minRounds), 201);
      const ms = await timed({ operation, bytes, rounds });
      const chosen =
        operation === "alltoall" ? "pairwise" : chooseAlgorithm(operation, world.size, bytes, true, tuning);
      measurements.push({ path, ranks: world.size, operation, bytes, ms, chosen, tuning });
    }
  }
  await orders.bcast<null>(null, 0);
  return measurements;
}

/**
 * Times the algorithms alternately, so that other load on the machine affects all of them; takes medians of
 * the slowest rank's times.
 */
async function time(
  world: World,
  tuning: Tuning,
  { operation, bytes, rounds }: Order,
): Promise<Record<string, number>> {
  const names: readonly string[] = algorithms[operation];
  const calls = names.map((name) => {
    const forced: Forced = operation === "alltoall" ? {} : { [operation]: name };
    const communicator = communicatorOf(world, { ...tuning, forced });
    return { communicator, call: callOf(communicator, operation, bytes) };
  });
  const times = new Float64Array(rounds * names.length);
  for (let at = 0; at < times.length; at++) {
    const { communicator, call } = calls[at % names.length];
    await communicator.barrier();
    const start = performance.now();
    await call();
    times[at] = performance.now() - start;
  }
  const slowest = await communicatorOf(world).allreduce<Float64Array>(times, max);
  const medianOf = (k: number) => slowest.filter((_, at) => at % names.length === k).toSorted()[rounds >> 1];
  return Object.fromEntries(names.map((name, k) => [name, medianOf(k)]));
}

/** One call with f32 arrays. For alltoall, `bytes` is all that a rank sends, in parts of sizes 1 : 2 : 3. */
function callOf(communicator: Communicator, operation: Operation, bytes: number): () => Promise<unknown> {
  const { rank, size } = communicator;
  const array = new Float32Array(bytes / 4).fill(rank);
  if (operation === "alltoall") {
    const weights = Array.from({ length: size }, (_, to) => 1 + ((rank + to) % 3));
    const unit = array.length / weights.reduce((sum, weight) => sum + weight);
    const parts = weights.map((weight) => new Float32Array(Math.floor(unit * weight)).fill(rank));
    return () => communicator.alltoall<Float32Array>(parts);
  }
  if (operation === "bcast") return () => communicator.bcast<Float32Array>(rank === 0 ? array : undefined, 0);
  if (operation === "reduce") return () => communicator.reduce<Float32Array>(array, add, 0);
  if (operation === "allreduce") return () => communicator.allreduce<Float32Array>(array, add);
  const bounds = Array.from({ length: size + 1 }, (_, k) => Math.floor((array.length * k) / size));
  const counts = Array.from({ length: size }, (_, k) => bounds[k + 1] - bounds[k]);
  return () => communicator.reduceScatter<Float32Array>(array, counts, add);
}
