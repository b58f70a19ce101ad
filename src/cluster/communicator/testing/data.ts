import { expect } from "vitest";
import { arrayOf, bytesPerElement, type DType, dtypeOf, type TypedArray } from "../../../core/dtype.ts";
import { randomOf } from "../../transport/testing/random.ts";
import type { Tuning } from "../collectives/tuning.ts";
import type { Data } from "../communicator.ts";
import { bytesOf, isTypedArray } from "../data.ts";
import type { Reduction } from "../operators.ts";

export const sizes = [1, 2, 3, 4, 5, 7, 8, 10];

/** Short and long meet at 1000 bytes. */
export const rates: Tuning = { latencyMs: 0.1, bytesPerMs: 1e4 };

/** Lengths of arrays: none, few, about as many as ranks, and around the sizes at which algorithms change. */
export const lengths = (size: number): number[] => [
  ...new Set([0, 1, 2, Math.max(size - 1, 0), size, size + 1, 1000, 2003]),
];

/** Random elements over the whole range of the type. */
export function numbers(dtype: DType, length: number, seed: number): TypedArray {
  const random = randomOf(seed);
  if (dtype === "f32" || dtype === "f64") {
    const array = new (arrayOf(dtype))(length) as Float64Array;
    for (let i = 0; i < length; i++) array[i] = (random() - 0.5) * 2 ** (random() * 20);
    return array;
  }
  const words = new Uint32Array(Math.ceil((length * bytesPerElement(dtype)) / 8) * 2);
  for (let i = 0; i < words.length; i++) words[i] = random() * 2 ** 32;
  return new (arrayOf(dtype))(words.buffer, 0, length).slice();
}

/** Fails unless data are equal to the bit, including −0 and NaN. Faster than `toEqual` for arrays. */
export function expectSame(got: Data | undefined, expected: Data | undefined): void {
  if (got === undefined || expected === undefined || !isTypedArray(got) || !isTypedArray(expected)) {
    expect(got).toEqual(expected);
    return;
  }
  expect(`${dtypeOf(got)} × ${got.length}`).toBe(`${dtypeOf(expected)} × ${expected.length}`);
  const [a, b] = [bytesOf(got), bytesOf(expected)];
  // Compares 32-bit words if aligned, which is several times faster.
  const count = a.byteOffset % 4 === 0 && b.byteOffset % 4 === 0 ? a.length >> 2 : 0;
  const [wordsA, wordsB] = [a, b].map(
    ({ buffer, byteOffset }) => new Int32Array(buffer, count && byteOffset, count),
  );
  for (let i = 0; i < count; i++) if (wordsA[i] !== wordsB[i]) throw different(i * 4, wordsA[i], wordsB[i]);
  for (let i = 4 * count; i < a.length; i++) if (a[i] !== b[i]) throw different(i, a[i], b[i]);
}

const different = (at: number, got: number, expected: number) =>
  new Error(`byte ${at}: ${got}, where ${expected} was expected`);

export function expectSameAll(
  got: readonly (Data | undefined)[],
  expected: readonly (Data | undefined)[],
): void {
  expect(got.length).toBe(expected.length);
  for (const [k, data] of got.entries()) expectSame(data, expected[k]);
}

/** The sequential reduction of the ranks' operands. */
export function reduced<D extends Data>(parts: readonly D[], operator: Reduction<D>): D {
  return parts.slice(1).reduce((sum: D, part: D): D => {
    if (!operator.combine || !isTypedArray(sum) || !isTypedArray(part))
      return operator.join?.(sum, part) as D;
    const next = part.slice();
    operator.combine(sum, next, 0, next.length);
    return next as D;
  }, parts[0]);
}
