import { arrayOf, bytesPerElement, type DType, type TypedArray } from "../../core/dtype.ts";
import { CrinkleError } from "../../core/errors.ts";
import { capitalized, formatBytes } from "../../core/format.ts";

/** A zeroed array. Throws OutOfMemory with what needed how much. */
export function allocate(dtype: DType, length: number, what: string): TypedArray {
  try {
    const array = new (arrayOf(dtype))(length);
    // Engines limit an array's number of elements, not its bytes.
    bytesOf(array);
    return array;
  } catch (cause) {
    throw new CrinkleError({
      tag: "OutOfMemory",
      problem: `${capitalized(what)} needs ${formatBytes(length * bytesPerElement(dtype))} of memory, more than is available.`,
      remedy: "Close other data sets or tabs, or open a smaller part of the data.",
      cause,
    });
  }
}

/** An array's own bytes, for filling it from a file. */
export function bytesOf(array: TypedArray): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}
