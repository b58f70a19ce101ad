import type { ReductionsBackend, VectorOwner } from "../backend.ts";
import { checkSameLength, checkType } from "../checks.ts";
import { argmax, argmin } from "../operators.ts";
import type { Primitives } from "../primitives.ts";
import { checkHeldScalar } from "./operands.ts";

type Reductions = Pick<
  Primitives,
  | "reduce"
  | "transformReduce"
  | "innerProduct"
  | "minmax"
  | "argmin"
  | "argmax"
  | "count"
  | "countIf"
  | "all"
  | "any"
  | "none"
>;

/** What sums elements up. */
export const checkedReductions = (backend: VectorOwner & ReductionsBackend): Reductions => ({
  async reduce(vector, operator, init) {
    checkHeldScalar(backend, "reduce", "vector", vector);
    return backend.reduce(vector, operator, init);
  },

  async transformReduce(vector, f, operator, init, type = vector.type) {
    checkHeldScalar(backend, "transformReduce", "vector", vector);
    return backend.reduce(vector, operator, init, f, type);
  },

  async innerProduct(a, b, combine, pair, init) {
    const what = "innerProduct";
    checkHeldScalar(backend, what, "a", a);
    checkHeldScalar(backend, what, "b", b);
    checkSameLength(what, { a, b });
    checkType(what, "b", b, a.type);
    return backend.innerProduct(a, b, combine, pair, init);
  },

  async minmax(vector) {
    checkHeldScalar(backend, "minmax", "vector", vector);
    return backend.minmax(vector);
  },

  async argmin(vector) {
    checkHeldScalar(backend, "argmin", "vector", vector);
    return backend.reduce(vector, argmin);
  },

  async argmax(vector) {
    checkHeldScalar(backend, "argmax", "vector", vector);
    return backend.reduce(vector, argmax);
  },

  async count(vector, value) {
    checkHeldScalar(backend, "count", "vector", vector);
    return backend.count(vector, value);
  },

  async countIf(vector, predicate) {
    checkHeldScalar(backend, "countIf", "vector", vector);
    return backend.countIf(vector, predicate);
  },

  async all(vector, predicate) {
    checkHeldScalar(backend, "all", "vector", vector);
    return backend.all(vector, predicate);
  },

  async any(vector, predicate) {
    checkHeldScalar(backend, "any", "vector", vector);
    return backend.any(vector, predicate);
  },

  async none(vector, predicate) {
    checkHeldScalar(backend, "none", "vector", vector);
    return !(await backend.any(vector, predicate));
  },
});
