import type { ScalarType } from "./vector.ts";

/**
 * Functions come as twins: the same function in JavaScript, for typed arrays, and as a WGSL expression, for kernels.
 * JavaScript's side returns numbers that are rounded to the element type by being stored (see Primitives).
 */

/** An associative operator with its identity. WGSL: an expression in `a` (the earlier operand) and `b`. */
export interface BinaryOperator {
  readonly name: string;
  readonly isCommutative: boolean;
  identity(type: ScalarType): number;
  js(type: ScalarType): (a: number, b: number) => number;
  wgsl(type: ScalarType): string;
}

/**
 * Finds where an element is instead of combining elements: of those given, that with the least key, and of equal ones
 * the one at the lowest position. Results are positions in the whole vector; elements whose key is NaN are passed over.
 */
export interface LocatingOperator {
  readonly name: string;
  /** The position of nothing: where every element is passed over, or none has come yet. */
  readonly identity: number;
  /** The key of an element. */
  js(type: ScalarType): (x: number) => number;
  /** The key as u32: an expression in `x`. Where elements are f32, `mostKey` is the greatest that is not NaN's. */
  wgsl(type: ScalarType): string;
  readonly locates: true;
}

/** What reductions, scans and runs take. */
export type Operator = BinaryOperator | LocatingOperator;

/** The type of what an operator makes of elements: positions are u32. */
export type ResultOf<O extends Operator, T extends ScalarType> = O extends LocatingOperator ? "u32" : T;

/** A function of one element. WGSL: an expression in `x`. */
export interface UnaryFunction {
  readonly name: string;
  js(x: number): number;
  readonly wgsl: string;
}

/** A function of several elements, one of each vector. WGSL: an expression in `x0`, `x1`, … */
export interface NaryFunction {
  readonly name: string;
  js(...x: number[]): number;
  readonly wgsl: string;
}

/** WGSL: a boolean expression in `x`. */
export interface Predicate {
  readonly name: string;
  js(x: number): boolean;
  readonly wgsl: string;
}
