import { arrayOf, bytesPerElement, type DType, type TypedArray } from "../../core/dtype.ts";
import { CrinkleError } from "../../core/errors.ts";
import { formatBytes } from "../../core/format.ts";

/** A zeroed array, or OutOfMemory that says what wanted how much. */
export function allocate(dtype: DType, length: number, what: string): TypedArray {
  try {
    return new (arrayOf(dtype))(length);
  } catch (cause) {
    throw new CrinkleError({
      tag: "OutOfMemory",
      problem: `${what} needs ${formatBytes(length * bytesPerElement(dtype))} of memory, more than could be had.`,
      remedy: "Close other data sets or tabs, or open a smaller part of the data.",
      cause,
    });
  }
}

/** An array's own bytes, for filling it from a file. */
export function bytesOf(array: TypedArray): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
