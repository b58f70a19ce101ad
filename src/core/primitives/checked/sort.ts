import type { SortBackend, VectorOwner } from "../backend.ts";
import { checkBits, checkSameLength } from "../checks.ts";
import type { Primitives, SortOptions } from "../primitives.ts";
import type { Vector } from "../vector.ts";
import { checkHeld, checkHeldScalar, checkHeldSegments } from "./operands.ts";

type Sort = Pick<Primitives, "sort" | "sortByKey" | "segmentedSort" | "argsort" | "rank">;

/** Sorts. */
export const checkedSort = (backend: VectorOwner & SortBackend): Sort => ({
  async sort(keys, options) {
    checkKeys(backend, "sort", keys, options);
    return backend.sort(keys, options);
  },

  async sortByKey(keys, values, options) {
    const what = "sortByKey";
    checkHeld(backend, what, "values", values);
    checkHeld(backend, what, "keys", keys);
    checkSameLength(what, { keys, values });
    checkKeys(backend, what, keys, options);
    return backend.sortByKey(keys, values, options);
  },

  async segmentedSort(keys, segments, options) {
    const what = "segmentedSort";
    checkHeld(backend, what, "keys", keys);
    checkHeldSegments(backend, what, segments, "keys to sort", keys);
    checkKeys(backend, what, keys, options);
    return backend.segmentedSort(keys, segments, options);
  },

  async argsort(keys, options) {
    checkKeys(backend, "argsort", keys, options);
    return backend.argsort(keys, options);
  },

  async rank(keys, options) {
    checkKeys(backend, "rank", keys, options);
    return backend.rank(keys, options);
  },
});

function checkKeys(owner: VectorOwner, what: string, keys: Vector, options?: SortOptions): void {
  checkHeldScalar(owner, what, "keys", keys);
  checkBits(what, options);
}
