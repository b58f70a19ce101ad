import type { RunsBackend, VectorOwner } from "../backend.ts";
import { checkSameLength, checkScalar } from "../checks.ts";
import type { Primitives } from "../primitives.ts";
import type { Vector } from "../vector.ts";
import { checkHeld, checkHeldScalar } from "./operands.ts";

type Runs = Pick<Primitives, "reduceByKey" | "runLengthEncode" | "uniqueByKey" | "unique">;

/** What is done with runs of equal neighbours. */
export const checkedRuns = (backend: VectorOwner & RunsBackend): Runs => ({
  async reduceByKey(keys, values, operator) {
    checkPairs(backend, "reduceByKey", keys, values);
    checkScalar("reduceByKey", "values", values);
    return backend.reduceByKey(keys, values, operator);
  },

  async runLengthEncode(vector) {
    checkHeldScalar(backend, "runLengthEncode", "keys", vector);
    return backend.runLengthEncode(vector);
  },

  async uniqueByKey(keys, values) {
    checkPairs(backend, "uniqueByKey", keys, values);
    return backend.uniqueByKey(keys, values);
  },

  async unique(vector) {
    checkHeldScalar(backend, "unique", "keys", vector);
    return backend.unique(vector);
  },
});

function checkPairs(owner: VectorOwner, what: string, keys: Vector, values: Vector): void {
  checkHeldScalar(owner, what, "keys", keys);
  checkHeld(owner, what, "values", values);
  checkSameLength(what, { keys, values });
}
