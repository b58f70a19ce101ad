import type { TypedArray } from "../../core/dtype.ts";
import { allocate } from "./allocate.ts";

/** Unpacks bits, most significant first, to one byte each. */
export function unpackBits(bits: Uint8Array, count: number, what: string): TypedArray {
  const values = allocate("u8", count, what);
  for (let i = 0; i < count; i++) values[i] = (bits[i >> 3] >> (7 - (i & 7))) & 1;
  return values;
}
