import type { NaryFunction, Predicate, UnaryFunction } from "../functions.ts";
import { defineLocating, defineOperator } from "../operators.ts";

/**
 * Affine maps of 16-bit numbers, the factor below the summand, one after the other: associative, but no two of them
 * commute.
 */
export const affine = defineOperator({
  name: "affine",
  identity: 1,
  js: (a, b) => {
    const factor = b & 0xffff;
    const summand = ((a >>> 16) * factor + (b >>> 16)) & 0xffff;
    return ((summand << 16) | (((a & 0xffff) * factor) & 0xffff)) >>> 0;
  },
  wgsl: "((((a >> 16u) * (b & 0xffffu) + (b >> 16u)) << 16u) | (((a & 0xffffu) * (b & 0xffffu)) & 0xffffu))",
});

/** The position of the greatest magnitude, for any type. */
export const farthest = defineLocating({
  name: "farthest",
  isGreatest: true,
  of: { name: "magnitude", js: Math.abs, wgsl: "abs(x)" },
});

/** 3 · x + 1, for any type. */
export const triple: UnaryFunction = { name: "triple", js: (x) => 3 * x + 1, wgsl: "x + x + x + 1" };

/** ⌊|x|⌋ as u32. */
export const magnitude: UnaryFunction = {
  name: "magnitude",
  js: (x) => Math.abs(x),
  wgsl: "u32(abs(x))",
};

/** x / 4 as f32, of any type. */
export const quarter: UnaryFunction = { name: "quarter", js: (x) => x / 4, wgsl: "f32(x) * 0.25" };

export const absolute: UnaryFunction = { name: "absolute", js: Math.abs, wgsl: "abs(x)" };

export const itself: UnaryFunction = { name: "itself", js: (x) => x, wgsl: "x" };

export const difference: NaryFunction = { name: "difference", js: (a, b) => a - b, wgsl: "x0 - x1" };

export const mean: NaryFunction = {
  name: "mean",
  js: (a, b, c) => (a + b + c) / 4,
  wgsl: "(f32(x0) + f32(x1) + f32(x2)) * 0.25",
};

/** More than 100, for any type. */
export const isLarge: Predicate = { name: "large", js: (x) => x > 100, wgsl: "x > 100" };

/** Of u32. */
export const isOdd: Predicate = { name: "odd", js: (x) => x % 2 === 1, wgsl: "(x & 1u) == 1u" };
