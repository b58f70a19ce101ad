import { isLittleEndian, swapBytes, type TypedArray } from "../../core/dtype.ts";
import { bytesOf } from "./allocate.ts";
import type { Yielder } from "./yielder.ts";

export type ByteOrder = "little" | "big";

/** Whether the bytes of numbers stored in `order` must be reversed on this machine. */
export function isForeign(order: ByteOrder): boolean {
  return (order === "little") !== isLittleEndian;
}

const pieceBytes = 1 << 23;

/** Converts numbers stored in `order` to the machine's byte order, in place. */
export async function toNativeOrder(array: TypedArray, order: ByteOrder, yielder: Yielder): Promise<void> {
  const width = array.BYTES_PER_ELEMENT;
  if (width === 1 || !isForeign(order)) return;
  const bytes = bytesOf(array);
  for (let from = 0; from < bytes.length; from += pieceBytes) {
    if (yielder.isDue()) await yielder.yield(1);
    swapBytes(bytes.subarray(from, from + pieceBytes), width);
  }
}
