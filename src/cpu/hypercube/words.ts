import type { IndexMap } from "../../core/hypercube/index-map.ts";
import { axesLifted } from "../../core/hypercube/lifted.ts";
import { badArgument } from "../../core/primitives/checks.ts";

/** Bytes are moved as unsigned integers, so that no NaN's bits change. */
export type Words = Uint8Array | Uint16Array | Uint32Array;

const arrays = { 1: Uint8Array, 2: Uint16Array, 4: Uint32Array } as const;

/**
 * The map of the words of up to 4 bytes that elements consist of, and the words of an array of elements, which throws BadArgument
 * where there are not `count` of them.
 */
export function wordsOf(
  map: IndexMap,
  elementBytes: number,
): { readonly map: IndexMap; words(array: ArrayBufferView, what: string, count: number): Words } {
  if (![1, 2, 4, 8, 16].includes(elementBytes)) {
    throw badArgument(`Elements have ${elementBytes} bytes.`, "They can have 1, 2, 4, 8 or 16.");
  }
  const wordBytes = elementBytes === 1 || elementBytes === 2 ? elementBytes : 4;
  const perElement = elementBytes / wordBytes;
  return {
    map: perElement === 1 ? map : axesLifted(map, perElement),
    words({ buffer, byteOffset, byteLength }, what, count) {
      if (byteLength !== count * elementBytes || byteOffset % wordBytes !== 0) {
        throw badArgument(
          `The ${what} has ${byteLength} bytes where the map takes ${count} elements of ${elementBytes} bytes.`,
          "Give it an array of the map's shape.",
        );
      }
      return new arrays[wordBytes](buffer as ArrayBuffer, byteOffset, byteLength / wordBytes);
    },
  };
}
