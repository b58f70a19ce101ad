import type { SortBackend } from "../core/primitives/backend.ts";
import { add } from "../core/primitives/operators.ts";
import type { Segments, SortOptions } from "../core/primitives/primitives.ts";
import type { ScalarType, Vector } from "../core/primitives/vector.ts";
import { headsOf } from "./boundaries.ts";
import { orderedKeys } from "./ordered-keys.ts";
import { scanned } from "./scan.ts";
import { placed } from "./scatter.ts";
import { cutsOf, type OrderedElements, samplesOf, splittersOf } from "./splitters.ts";
import type { Ranks, Step } from "./step.ts";
import { collectedAll, countingOf, type RankVector } from "./vector.ts";
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
 * Sorted keys and, where there are any, their values. Each rank sorts its part; samples of all parts tell splitters, which are keys
 * with their positions, so that equal keys are parted, too; each rank gets what lies between two of them, and sorts
 * that: sorts are stable, and the pieces are in the order of their ranks.
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
  const { local, exchange, size } = step;
  const keysPart = await keys.part(step);
  const valuesPart = values && (await alignedPart(step, values, keys.offsets));
  const both = valuesPart ? [keysPart, valuesPart] : [keysPart];
  let [sorted, elements]: [readonly Uint32Array[], OrderedElements | undefined] = [[], undefined];
  const samples = await exchange.allgather(async () => {
    const order = step.hold(await local.argsort(keysPart, options));
    sorted = await Promise.all(both.map((vector) => orderedWords(step, order, vector)));
    const first = keys.offsets[step.rank];
    elements = {
      keys: orderedKeys(keys.type, sorted[0], options),
      positions: (await local.toHost(order)).map((place) => first + place),
    };
    const { count, keys: sampled, positions } = samplesOf(elements, size);
    return joined([Uint32Array.of(count), sampled, positions]);
  });
  const splitters = splittersOf(samples.map(samplesIn));
  const arrived = await exchange.alltoall(() => {
    const cuts = elements ? cutsOf(elements, splitters, size) : [];
    return cuts
      .slice(1)
      .map((to, k) =>
        sorted.map((words, v) => words.subarray(both[v].components * cuts[k], both[v].components * to)),
      );
  });
  const width = both.reduce((sum, { components }) => sum + components, 0);
  const [sortedKeys, sortedValues] = await collectedAll(step, async () => {
    let before = 0;
    const pieces = both.map(({ type, components }) => {
      const words = arrived.map((piece) => {
        const from = (piece.length / width) * before;
        return piece.subarray(from, from + (piece.length / width) * components);
      });
      before += components;
      return step.hold(
        local.fromHost<ScalarType>(type, wordsOf<ScalarType>(type, joined(words)), components),
      );
    });
    const order = step.hold(await local.argsort(pieces[0], options));
    return Promise.all(pieces.map((piece) => local.gather(order, piece)));
  });
  return { keys: sortedKeys, values: sortedValues };
}

/** The words of elements in an order. */
async function orderedWords({ local }: Step, order: Vector<"u32">, vector: Vector): Promise<Uint32Array> {
  const elements = await local.gather(order, vector);
  const words = bitsOf(await local.toHost(elements));
  elements.release();
  return words;
}

function samplesIn([count, ...words]: Uint32Array) {
  const keys = Uint32Array.from(words.slice(0, words.length / 2));
  return { count, keys, positions: Uint32Array.from(words.slice(words.length / 2)) };
}
