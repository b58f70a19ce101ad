import type { SearchBackend, VectorOwner } from "../backend.ts";
import { checkScalar, checkType } from "../checks.ts";
import type { Primitives } from "../primitives.ts";
import { maxKept, type SetOperation } from "../set-operations.ts";
import type { ScalarType, Vector } from "../vector.ts";
import { checkHeld, checkHeldIndices, checkRoom } from "./operands.ts";

type Search = Pick<
  Primitives,
  | "lowerBound"
  | "upperBound"
  | "upperBoundCounting"
  | "merge"
  | "setUnion"
  | "setIntersection"
  | "setDifference"
>;

/** What is done with ascending vectors. */
export function checkedSearch(backend: VectorOwner & SearchBackend): Search {
  function combine<T extends ScalarType>(what: string, operation: SetOperation, a: Vector<T>, b: Vector<T>) {
    checkAlike(backend, what, "a", a, "b", b);
    checkRoom(backend, what, maxKept(operation, a.length, b.length));
    return backend.combineSets(operation, a, b);
  }
  return {
    async lowerBound(sorted, needles) {
      checkAlike(backend, "lowerBound", "sorted", sorted, "needles", needles);
      return backend.search("lower", sorted, needles);
    },

    async upperBound(sorted, needles) {
      checkAlike(backend, "upperBound", "sorted", sorted, "needles", needles);
      return backend.search("upper", sorted, needles);
    },

    async upperBoundCounting(sorted, count) {
      const what = "upperBoundCounting";
      checkHeldIndices(backend, what, "sorted", sorted);
      checkRoom(backend, what, count);
      return backend.upperBoundCounting(sorted, count);
    },

    async merge(a, b) {
      checkAlike(backend, "merge", "a", a, "b", b);
      checkRoom(backend, "merge", a.length + b.length);
      return backend.merge(a, b);
    },

    setUnion: async (a, b) => combine("setUnion", "union", a, b),
    setIntersection: async (a, b) => combine("setIntersection", "intersection", a, b),
    setDifference: async (a, b) => combine("setDifference", "difference", a, b),
  };
}

/** Two vectors of single words of one type, by the names that messages give them. */
function checkAlike(
  owner: VectorOwner,
  what: string,
  nameA: string,
  a: Vector,
  nameB: string,
  b: Vector,
): void {
  checkHeld(owner, what, nameA, a);
  checkHeld(owner, what, nameB, b);
  checkScalar(what, nameA, a);
  checkScalar(what, nameB, b);
  checkType(what, nameB, b, a.type);
}
