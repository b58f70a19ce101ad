import type { NaryFunction, Predicate, UnaryFunction } from "../functions.ts";
import { defineLocating, defineOperator } from "../operators.ts";

/**
 * Affine maps of 16-bit numbers, the factor below the summand, one after the other: associative, but no two of them
 * commute.
 */
export const affine = defineOperator({
  name: "affine",
  identity: 1,
  text: "((((a >> 16u) * (b & 0xffffu) + (b >> 16u)) << 16u) | (((a & 0xffffu) * (b & 0xffffu)) & 0xffffu))",
});

/** The position of the greatest magnitude, for any type. */
export const farthest = defineLocating({
  name: "farthest",
  isGreatest: true,
  of: { name: "magnitude", text: "abs(x)" },
});

/** 3 · x + 1, for any type. */
export const triple: UnaryFunction = { name: "triple", text: "x + x + x + 1" };

/** ⌊|x|⌋ as u32. */
export const magnitude: UnaryFunction = {
  name: "magnitude",
  text: "u32(abs(x))",
};

/** x / 4 as f32, of any type. */
export const quarter: UnaryFunction = { name: "quarter", text: "f32(x) * 0.25" };

export const absolute: UnaryFunction = { name: "absolute", text: "abs(x)" };

export const itself: UnaryFunction = { name: "itself", text: "x" };

export const difference: NaryFunction = { name: "difference", text: "x0 - x1" };

export const mean: NaryFunction = {
  name: "mean",
  text: "(f32(x0) + f32(x1) + f32(x2)) * 0.25",
};

/** More than 100, for any type. */
export const isLarge: Predicate = { name: "large", text: "x > 100" };

/** Of u32. */
export const isOdd: Predicate = { name: "odd", text: "(x & 1u) == 1u" };
