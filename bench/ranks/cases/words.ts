import { add } from "../../../src/core/primitives/operators.ts";
import type { Primitives } from "../../../src/core/primitives/primitives.ts";
import type { Vector } from "../../../src/core/primitives/vector.ts";
import { wordsOf } from "../inputs.ts";
import type { BenchRank, Timed } from "./rank-case.ts";
import { together } from "./timing.ts";
import { withAllRanks, withPrimitives } from "./with-primitives.ts";

/** What is done with a vector of random words. */
export type WordsWork = (p: Primitives, words: Vector<"u32">) => Promise<{ release(): void }>;

export const scan: WordsWork = (p, words) => p.inclusiveScan(words, add);
export const sort: WordsWork = (p, words) => p.sort(words);

/** Each rank with its own part of n words alone. */
export const manualWords =
  (work: WordsWork) =>
  (given: BenchRank, n: number): Promise<Timed> =>
    withPrimitives(given, (p, rank) => {
      const words = p.fromHost("u32", wordsOf(rank.communicator, n));
      return together(rank, () => work(p, words));
    });

/** One vector of n words over all ranks. */
export const distributedWords =
  (work: WordsWork) =>
  (given: BenchRank, n: number): Promise<Timed> =>
    withAllRanks(given, async (p, rank) => {
      const words = await p.fromParts("u32", wordsOf(rank.communicator, n));
      return together(rank, () => work(p, words));
    });
