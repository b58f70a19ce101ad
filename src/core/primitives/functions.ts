import type { ScalarType } from "./vector.ts";

/**
 * Functions are data: expressions in kernel text (docs/kernels.md), from which each target makes the code that it runs.
 * Their parameters are of the elements' types, and their values are converted to the type that is asked for.
 */

/** An associative operator with its identity. */
export interface BinaryOperator {
  readonly name: string;
  readonly isCommutative: boolean;
  identity(type: ScalarType): number;
  /** An expression of the type in `a`, the earlier operand, and `b`. */
  text(type: ScalarType): string;
}

/**
 * Finds where an element is instead of combining elements: of those given, that with the least key, and of equal ones
 * the one at the lowest position. Results are positions in the whole vector; elements whose key is NaN are passed over.
 */
export interface LocatingOperator {
  readonly name: string;
  /** The position of nothing: where every element is passed over, or none has come yet. */
  readonly identity: number;
  /** Keys are the values of this function, in the element's type; the elements where it is left out. */
  readonly of?: UnaryFunction;
  /** The greatest value has the least key. */
  readonly isGreatest: boolean;
  /** The key as u32: an expression in `x`. Where elements are f32, `maxKey` is the greatest that is not NaN's. */
  text(type: ScalarType): string;
  readonly locates: true;
}

/** What reductions, scans and runs take. */
export type Operator = BinaryOperator | LocatingOperator;

/** The type of what an operator makes of elements: positions are u32. */
export type ResultOf<O extends Operator, T extends ScalarType> = O extends LocatingOperator ? "u32" : T;

/** A function of one element. */
export interface UnaryFunction {
  readonly name: string;
  /** An expression in `x`. */
  readonly text: string;
}

/** A function of several elements, one of each vector. */
export interface NaryFunction {
  readonly name: string;
  /** An expression in `x0`, `x1`, … */
  readonly text: string;
}

export interface Predicate {
  readonly name: string;
  /** A boolean expression in `x`. */
  readonly text: string;
}
