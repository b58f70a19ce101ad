import type { TypedArray } from "../../core/dtype.ts";
import type { Data } from "./communicator.ts";

/**
 * How two operands become one. `a` comes of lower ranks than `b`. Associative; commutative ones may be grouped in more
 * ways. Built in: add, min, max, mul, and, or, xor over elements (integers wrap; bitwise on integers), minloc and maxloc
 * over pairs.
 */
export interface Reduction<D extends Data = Data> {
  readonly name: string;
  readonly isCommutative: boolean;
  /** Elements that belong together: 1; 2 for the pairs (value, location) of minloc and maxloc. */
  readonly group: number;
  /** Elements of typed arrays: `b[i] = a[i] ∘ b[i]`, for elements from … to − 1. Left out where operands are values. */
  readonly combine?: (a: TypedArray, b: TypedArray, from: number, to: number) => void;
  /** Small values. */
  readonly join?: (a: D, b: D) => D;
}
