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

/** Lengths of arrays: none, few, about as many as ranks, and around where algorithms change. */
export const lengths = (size: number): number[] => [
  ...new Set([0, 1, 2, Math.max(size - 1, 0), size, size + 1, 1000, 2003]),
];

/** Elements over the whole range of the type, the seed's. */
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

/** Fails where data are not alike to the bit, −0 and NaN's included. Quicker than `toEqual` for arrays. */
export function expectSame(got: Data | undefined, due: Data | undefined): void {
  if (got === undefined || due === undefined || !isTypedArray(got) || !isTypedArray(due)) {
    expect(got).toEqual(due);
    return;
  }
  expect(`${dtypeOf(got)} × ${got.length}`).toBe(`${dtypeOf(due)} × ${due.length}`);
  const [a, b] = [bytesOf(got), bytesOf(due)];
  // By words where they lie so, which is several times quicker.
  const count = a.byteOffset % 4 === 0 && b.byteOffset % 4 === 0 ? a.length >> 2 : 0;
  const [wordsA, wordsB] = [a, b].map(
    ({ buffer, byteOffset }) => new Int32Array(buffer, count && byteOffset, count),
  );
  for (let i = 0; i < count; i++) if (wordsA[i] !== wordsB[i]) throw different(i * 4, wordsA[i], wordsB[i]);
  for (let i = 4 * count; i < a.length; i++) if (a[i] !== b[i]) throw different(i, a[i], b[i]);
}

const different = (at: number, got: number, due: number) =>
  new Error(`byte ${at}: ${got}, where ${due} was due`);

export function expectSameAll(got: readonly (Data | undefined)[], due: readonly (Data | undefined)[]): void {
  expect(got.length).toBe(due.length);
  for (const [k, data] of got.entries()) expectSame(data, due[k]);
}

/** What ranks reduce to, one after the other. */
export function reduced<D extends Data>(parts: readonly D[], operator: Reduction<D>): D {
  return parts.slice(1).reduce((sum: D, part: D): D => {
    if (!operator.combine || !isTypedArray(sum) || !isTypedArray(part))
      return operator.join?.(sum, part) as D;
    const next = part.slice();
    operator.combine(sum, next, 0, next.length);
    return next as D;
  }, parts[0]);
}
