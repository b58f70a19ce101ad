import type { BinaryOperator } from "../functions.ts";
import { add, and, first, last, max, min, mul, or, xor } from "../operators.ts";
import type { ScalarType } from "../vector.ts";
import { affine } from "./operators.ts";

const stored: Readonly<Record<ScalarType, (x: number) => number>> = {
  u32: (x) => x >>> 0,
  i32: (x) => x | 0,
  f32: Math.fround,
};

/** Operators in plain JavaScript: the bitwise ones and `affine` of integers alone. */
const combinations = new Map<BinaryOperator, (a: number, b: number, type: ScalarType) => number>([
  [mul, (a, b, type) => (type === "f32" ? a * b : Math.imul(a, b))],
  [add, (a, b) => a + b],
  [min, (a, b) => Math.min(a, b)],
  [max, (a, b) => Math.max(a, b)],
  [and, (a, b) => a & b],
  [or, (a, b) => a | b],
  [xor, (a, b) => a ^ b],
  [first, (a) => a],
  [last, (_, b) => b],
  [
    affine,
    (a, b) => {
      const factor = b & 0xffff;
      const summand = ((a >>> 16) * factor + (b >>> 16)) & 0xffff;
      return (summand << 16) | (((a & 0xffff) * factor) & 0xffff);
    },
  ],
]);

/** What tests expect an operator to make of two elements of the type: an element, computed without the operator's text. */
export function expectedOf(operator: BinaryOperator, type: ScalarType): (a: number, b: number) => number {
  const combine = combinations.get(operator);
  if (!combine) throw new Error(`Nothing says what “${operator.name}” is expected to make.`);
  return (a, b) => stored[type](combine(a, b, type));
}
