import type { Bound, SearchBackend, SortBackend } from "../../core/primitives/backend.ts";
import type { SortOptions } from "../../core/primitives/primitives.ts";
import type { SetOperation } from "../../core/primitives/set-operations.ts";
import type { ScalarType } from "../../core/primitives/vector.ts";
import { gatheredWords } from "./move.ts";
import { countsBelow, mergedWords, searchWords, setWords } from "./search.ts";
import { type CpuSegments, isHeadOf, segmentStarts } from "./segments.ts";
import { inverse, orderWithin, sortedOrder } from "./sort.ts";
import type { CpuVector, NewVector } from "./vector.ts";

/** What is done with ascending vectors. */
export const cpuSearch = (newVector: NewVector): SearchBackend => ({
  search: <T extends ScalarType>(bound: Bound, sorted: CpuVector<T>, needles: CpuVector<T>) =>
    newVector("u32", searchWords(sorted.words(), needles.words(), bound === "upper")),
  upperBoundCounting: (sorted: CpuVector<"u32">, count) =>
    newVector("u32", countsBelow(sorted.words(), count)),
  merge: <T extends ScalarType>(a: CpuVector<T>, b: CpuVector<T>) =>
    newVector(a.type, mergedWords(a.type, a.words(), b.words())),
  combineSets: <T extends ScalarType>(operation: SetOperation, a: CpuVector<T>, b: CpuVector<T>) =>
    newVector(a.type, setWords(a.type, a.words(), b.words(), operation)),
});

/** Sorts: an order of the keys, through which they and their values are gathered. */
export function cpuSort(newVector: NewVector): SortBackend {
  const through = <T extends ScalarType>(order: Uint32Array, { type, words, components }: CpuVector<T>) =>
    newVector(type, gatheredWords(type, order, words(), components), components);
  const orderOf = ({ type, words }: CpuVector, options?: SortOptions) => sortedOrder(type, words(), options);
  return {
    sort: <T extends ScalarType>(keys: CpuVector<T>, options?: SortOptions) =>
      through(orderOf(keys, options), keys),

    sortByKey<K extends ScalarType, V extends ScalarType>(
      keys: CpuVector<K>,
      values: CpuVector<V>,
      options?: SortOptions,
    ) {
      const order = orderOf(keys, options);
      return { keys: through(order, keys), values: through(order, values) };
    },

    segmentedSort<T extends ScalarType>(keys: CpuVector<T>, segments: CpuSegments, options?: SortOptions) {
      const starts = segmentStarts(keys.length, isHeadOf(segments));
      return through(orderWithin(orderOf(keys, options), starts), keys);
    },

    argsort: (keys: CpuVector, options) => newVector("u32", orderOf(keys, options)),
    rank: (keys: CpuVector, options) => newVector("u32", inverse(orderOf(keys, options))),
  };
}
