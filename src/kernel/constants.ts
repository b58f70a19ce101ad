import { rounded, type ScalarValue } from "./semantics.ts";
import type { Scalar, Type } from "./types.ts";

/** The scalars that a value of the type consists of, in order. */
export function scalarsOf(type: Type): Scalar[] {
  switch (type.kind) {
    case "scalar":
      return [type.scalar];
    case "vector":
      return new Array<Scalar>(type.size).fill(type.scalar);
    case "matrix":
      return new Array<Scalar>(type.columns * type.rows).fill(type.scalar);
    case "array": {
      const element = scalarsOf(type.element);
      return Array.from({ length: type.length }, () => element).flat();
    }
    case "struct":
      return type.members.flatMap((member) => scalarsOf(member.type));
  }
}

/** The numbers given for a constant as scalars of its type; NaN, or 0, where there are too few. */
export function constantScalars(type: Type, given: number | readonly number[] = []): ScalarValue[] {
  const numbers = typeof given === "number" ? [given] : given;
  return scalarsOf(type).map((scalar, k) => {
    const number = numbers[k] ?? Number.NaN;
    return scalar === "bool" ? number !== 0 : rounded(scalar, number);
  });
}
