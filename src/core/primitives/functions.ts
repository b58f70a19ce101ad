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
