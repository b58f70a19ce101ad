/** Values as the interpreter has them, and what built-in functions of whole vectors and matrices make of them. */
import { binaryScalar, rounded, type ScalarValue } from "../semantics.ts";
import type { Scalar, Type } from "../types.ts";

/** A scalar, or the components of a vector, columns of a matrix, elements of an array, members of a struct. */
export type Value = ScalarValue | readonly Value[];

/** The zero of a type. */
export function zeroOf(type: Type): Value {
  switch (type.kind) {
    case "scalar":
      return type.scalar === "bool" ? false : 0;
    case "vector":
      return new Array<Value>(type.size).fill(type.scalar === "bool" ? false : 0);
    case "matrix":
      return Array.from({ length: type.columns }, () => new Array<Value>(type.rows).fill(0));
    case "array":
      return Array.from({ length: type.length }, () => zeroOf(type.element));
    case "struct":
      return type.members.map((member) => zeroOf(member.type));
  }
}

/** A value of the type from its scalars in order. */
export function valueFrom(type: Type, next: () => ScalarValue): Value {
  switch (type.kind) {
    case "scalar":
      return next();
    case "vector":
      return Array.from({ length: type.size }, next);
    case "matrix":
      return Array.from({ length: type.columns }, () => Array.from({ length: type.rows }, next));
    case "array":
      return Array.from({ length: type.length }, () => valueFrom(type.element, next));
    case "struct":
      return type.members.map((member) => valueFrom(member.type, next));
  }
}

/** The scalars that a value consists of, in order. */
export function scalarsIn(value: Value): ScalarValue[] {
  return Array.isArray(value) ? value.flatMap(scalarsIn) : [value as ScalarValue];
}

export const parts = (value: Value): readonly Value[] => value as readonly Value[];
export const isAggregate = (value: Value): value is readonly Value[] => Array.isArray(value);

/** Applies a function to corresponding scalars; a lone scalar meets each one. */
export function mapScalars(f: (...scalars: ScalarValue[]) => ScalarValue, values: readonly Value[]): Value {
  const shape = values.find(isAggregate);
  if (!shape) return f(...(values as ScalarValue[]));
  return shape.map((_, i) =>
    mapScalars(
      f,
      values.map((value) => (isAggregate(value) ? value[i] : value)),
    ),
  );
}

/** The sum of products, from left to right. */
export function dot(scalar: Scalar, a: readonly Value[], b: readonly Value[]): number {
  const products = a.map((x, i) => Number(binaryScalar("*", scalar, x as ScalarValue, b[i] as ScalarValue)));
  return products.reduce((sum, product) => rounded(scalar, sum + product));
}
