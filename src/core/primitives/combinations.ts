import type { BinaryOperator } from "./functions.ts";
import { add, max, min } from "./operators.ts";
import type { ScalarType } from "./vector.ts";

/** What an operator makes of two elements: an element. */
export type Combination = (a: number, b: number) => number;

const sums: Readonly<Record<ScalarType, Combination>> = {
  u32: (a, b) => (a + b) >>> 0,
  i32: (a, b) => (a + b) | 0,
  f32: (a, b) => Math.fround(a + b),
};

/**
 * Operators in JavaScript as it is written here, not as it is made of their texts: statistics need these three, and the page's
 * first picture does without the kernel layer. The texts of the extremes of f32 are slower besides: they compare bits.
 */
const written = new Map<BinaryOperator, (type: ScalarType) => Combination>([
  [add, (type) => sums[type]],
  [min, () => (a, b) => Math.min(a, b)],
  [max, () => (a, b) => Math.max(a, b)],
]);

/** The combination by an operator of this file; undefined for others. */
export const writtenCombination = (type: ScalarType, operator: BinaryOperator): Combination | undefined =>
  written.get(operator)?.(type);
