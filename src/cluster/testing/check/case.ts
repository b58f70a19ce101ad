import { arrayOf, bytesPerElement, type DType, type TypedArray } from "../../../core/dtype.ts";
import type { Communicator, Data } from "../../communicator/communicator.ts";
import { isTypedArray } from "../../communicator/data.ts";

/** A test that all ranks of a communicator run together. */
export interface Case {
  readonly name: string;
  /** Returns on every rank whether it received what was expected. */
  run(communicator: Communicator): Promise<boolean>;
}

/** The type and length of test arrays. */
export interface Shape {
  readonly dtype: DType;
  readonly length: number;
}

export const shapeOf = (dtype: DType, bytes: number): Shape => ({
  dtype,
  length: Math.floor(bytes / bytesPerElement(dtype)),
});

export const nameOf = ({ dtype, length }: Shape): string => `${dtype} × ${length}`;

/**
 * The data of a rank: whole numbers from 0 to 100, so that sums are exact in every type that does not wrap.
 */
export function operandOf({ dtype, length }: Shape, rank: number): TypedArray {
  return filled(dtype, length, (i) => (i * 31 + (i >> 7) + rank * 17) % 101);
}

/** Whole numbers as elements of a type; narrow types wrap. */
export function filled(dtype: DType, length: number, valueAt: (i: number) => number): TypedArray {
  const values = new Float64Array(length);
  for (let i = 0; i < length; i++) values[i] = valueAt(i);
  return typed(dtype, values);
}

export function typed(dtype: DType, values: Float64Array): TypedArray {
  const array = new (arrayOf(dtype))(values.length);
  if (array instanceof BigInt64Array || array instanceof BigUint64Array) {
    for (let i = 0; i < values.length; i++) array[i] = BigInt(values[i]);
  } else array.set(values);
  return array;
}

export function isSame(got: Data | undefined, due: Data | undefined): boolean {
  if (got === undefined || due === undefined) return got === due;
  if (!isTypedArray(got) || !isTypedArray(due)) return JSON.stringify(got) === JSON.stringify(due);
  if (got.constructor !== due.constructor || got.length !== due.length) return false;
  const [a, b] = [wordsOf(got), wordsOf(due)];
  for (let i = 0; i < b.length; i++) if (a[i] !== b[i]) return false;
  return true;
}

/** The bits of an array, in words as long as its elements are, or half as long. */
function wordsOf({ buffer, byteOffset, byteLength, BYTES_PER_ELEMENT: size }: TypedArray) {
  if (size === 1) return new Uint8Array(buffer, byteOffset, byteLength);
  if (size === 2) return new Uint16Array(buffer, byteOffset, byteLength / 2);
  return new Uint32Array(buffer, byteOffset, byteLength / 4);
}

export const areSame = (got: readonly Data[] | undefined, due: readonly Data[] | undefined): boolean =>
  got === undefined || due === undefined
    ? got === due
    : got.length === due.length && got.every((one, k) => isSame(one, due[k]));

/** The ranks' numbers. */
export const ranksOf = ({ size }: { readonly size: number }): number[] =>
  Array.from({ length: size }, (_, rank) => rank);

/** The first rank, the last one and one in between. */
export const rootsOf = (size: number): number[] => [...new Set([0, size >> 1, size - 1])];
