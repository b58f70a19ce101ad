// What exchanges cost: the model of latency and rate is calibrated by these.
import type { BenchRank, Timed } from "./rank-case.ts";
import { eachOf, together } from "./timing.ts";
import { withAllRanks, withPrimitives } from "./with-primitives.ts";

const exchangesPerTrial = 20;

/** What ends each trial of the others. */
export const barrier = (rank: BenchRank): Promise<Timed> => together(rank, async () => undefined);

/** One allgather of n words a rank, from and to the host's memory. */
export function exchange(rank: BenchRank, n: number): Promise<Timed> {
  const words = new Uint32Array(n);
  return eachOf(exchangesPerTrial, rank, () => rank.communicator.allgather(words));
}

/** A word that the rank's own GPU has just computed, read by its host. */
export const wordOfGpu = (given: BenchRank): Promise<Timed> =>
  withPrimitives(given, async (p, rank) => {
    const words = p.fromHost("u32", new Uint32Array(1));
    return eachOf(exchangesPerTrial, rank, async () => {
      const next = await p.copy(words);
      await p.front(next);
      next.release();
    });
  });

/** Each rank's last n words, sent to the next one: read back from the GPU, sent, and written to the other. */
export const halo = (given: BenchRank, n: number): Promise<Timed> =>
  withAllRanks(given, async (p, rank) => {
    const words = await p.fromParts("u32", new Uint32Array(2 * n));
    return together(rank, () => p.shift(words, n));
  });
