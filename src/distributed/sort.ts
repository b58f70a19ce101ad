import type { SortBackend } from "../core/primitives/backend.ts";
import { add } from "../core/primitives/operators.ts";
import type { Primitives, Segments, SortOptions } from "../core/primitives/primitives.ts";
import type { ScalarType, Vector } from "../core/primitives/vector.ts";
import { headsOf } from "./boundaries.ts";
import { keyOrder } from "./ordered-keys.ts";
import { scanned } from "./scan.ts";
import { placed } from "./scatter.ts";
import { cutsOf, samplesOf, splittersOf } from "./splitters.ts";
import type { Ranks, Step } from "./step.ts";
import { collectedAll, countingOf, type RankVector, vectorOf } from "./vector.ts";
import { alignedPart } from "./window.ts";
import { bitsOf, joined, wordsOf } from "./words.ts";

/** Sorts by sampling. */
export function distributedSort(ranks: Ranks): SortBackend {
  async function argsorted(step: Step, keys: RankVector, options?: SortOptions): Promise<RankVector<"u32">> {
    const sorted = await sortedPairs(step, keys, countingOf(step, keys.offsets), options);
    step.hold(sorted.keys);
    return sorted.values;
  }
  return {
    sort: <T extends ScalarType>(keys: RankVector<T>, options?: SortOptions) =>
      ranks.run(async (step) => (await sortedPairs(step, keys, undefined, options)).keys),

    sortByKey: <K extends ScalarType, V extends ScalarType>(
      keys: RankVector<K>,
      values: RankVector<V>,
      options?: SortOptions,
    ) => ranks.run((step) => sortedPairs(step, keys, values, options)),

    segmentedSort: <T extends ScalarType>(keys: RankVector<T>, segments: Segments, options?: SortOptions) =>
      ranks.run(async (step) => {
        const heads = step.hold(await headsOf(step, segments, keys.offsets));
        const numbers = step.hold(await scanned(step, heads, add, { type: "u32", isExclusive: false }));
        const byKey = await sortedPairs(step, keys, numbers, options);
        step.hold(byKey.keys);
        step.hold(byKey.values);
        const bySegment = await sortedPairs(step, byKey.values, byKey.keys);
        step.hold(bySegment.keys);
        return bySegment.values;
      }),

    argsort: (keys: RankVector, options) => ranks.run((step) => argsorted(step, keys, options)),

    rank: (keys: RankVector, options) =>
      ranks.run(async (step) => {
        const order = step.hold(await argsorted(step, keys, options));
        return placed(step, keys.offsets, { source: countingOf(step, order.offsets), map: order });
      }),
  };
}

interface SortedPairs<K extends ScalarType, V extends ScalarType> {
  readonly keys: RankVector<K>;
  readonly values: RankVector<V>;
}

/**
 * Sorted keys and, where there are any, their values. Each rank sorts its part; samples of all parts tell splitters, which are
 * elements of some rank's part, so that equal keys are parted, too; each rank gets what lies between two of them, and
 * sorts that: sorts are stable, and the pieces are in the order of their ranks.
 */
async function sortedPairs<K extends ScalarType, V extends ScalarType>(
  step: Step,
  keys: RankVector<K>,
  values: RankVector<V>,
  options?: SortOptions,
): Promise<SortedPairs<K, V>>;
async function sortedPairs<K extends ScalarType>(
  step: Step,
  keys: RankVector<K>,
  values: RankVector | undefined,
  options?: SortOptions,
): Promise<{ readonly keys: RankVector<K> }>;
async function sortedPairs(
  step: Step,
  keys: RankVector,
  values: RankVector | undefined,
  options?: SortOptions,
) {
  const { local, exchange, rank, size } = step;
  const keysPart = await keys.part(step);
  const valuesPart = values && (await alignedPart(step, values, keys.offsets));
  if (size === 1) {
    const sorted = await exchange.together(() => sortedHere(local, keysPart, valuesPart, options));
    return {
      keys: vectorOf(step, sorted.keys, keys.offsets),
      values: sorted.values && vectorOf(step, sorted.values, keys.offsets),
    };
  }
  const both = valuesPart ? [keysPart, valuesPart] : [keysPart];
  const keyOf = keyOrder(keys.type, options);
  let words: readonly Uint32Array[] = [new Uint32Array(0)];
  const part = () => ({ length: words[0].length, keyAt: (i: number) => keyOf(words[0][i]) });
  const samples = await exchange.allgather(async () => {
    const sorted = await sortedHere(local, keysPart, valuesPart, options);
    const vectors = sorted.values ? [sorted.keys, sorted.values] : [sorted.keys];
    words = await Promise.all(vectors.map(async (vector) => bitsOf(await local.toHost(vector))));
    for (const vector of vectors) vector.release();
    const { count, keys: sampled } = samplesOf(part(), rank, size);
    return joined([Uint32Array.of(count), sampled]);
  });
  const splitters = splittersOf(
    samples.map(([count, ...sampled]) => ({ count, keys: Uint32Array.from(sampled) })),
  );
  const arrived = await exchange.alltoall(() => {
    const cuts = cutsOf(part(), rank, splitters, size);
    return cuts
      .slice(1)
      .map((to, k) =>
        words.map((ofVector, v) => ofVector.subarray(both[v].components * cuts[k], both[v].components * to)),
      );
  });
  const width = both.reduce((sum, { components }) => sum + components, 0);
  const [sortedKeys, sortedValues] = await collectedAll(step, async () => {
    let before = 0;
    const [keyPieces, valuePieces] = both.map(({ type, components }) => {
      const pieces = arrived.map((piece) => {
        const from = (piece.length / width) * before;
        return piece.subarray(from, from + (piece.length / width) * components);
      });
      before += components;
      return step.hold(
        local.fromHost<ScalarType>(type, wordsOf<ScalarType>(type, joined(pieces)), components),
      );
    });
    const sorted = await sortedHere(local, keyPieces, valuePieces, options);
    return sorted.values ? [sorted.keys, sorted.values] : [sorted.keys];
  });
  return { keys: sortedKeys, values: sortedValues };
}

/** Sorted keys of this rank and, where there are any, their values. */
async function sortedHere(
  local: Primitives,
  keys: Vector,
  values: Vector | undefined,
  options?: SortOptions,
): Promise<{ readonly keys: Vector; readonly values?: Vector }> {
  return values ? local.sortByKey(keys, values, options) : { keys: await local.sort(keys, options) };
}
