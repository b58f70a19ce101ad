import type { HostArray, ScalarType } from "../core/primitives/vector.ts";

/** Elements as the words that travel: the same memory. */
export const bitsOf = ({ buffer, byteOffset, length }: HostArray): Uint32Array =>
  new Uint32Array(buffer, byteOffset, length);

/** Words that have travelled as elements of the type: the same memory. */
export function wordsOf<T extends ScalarType>(type: T, bits: Uint32Array): HostArray<T>;
export function wordsOf(type: ScalarType, { buffer, byteOffset, length }: Uint32Array): HostArray {
  if (type === "f32") return new Float32Array(buffer, byteOffset, length);
  return type === "u32"
    ? new Uint32Array(buffer, byteOffset, length)
    : new Int32Array(buffer, byteOffset, length);
}

/** A number as the word of an element. */
export function wordOf(type: ScalarType, x: number): number {
  const bits = new Uint32Array(1);
  wordsOf<ScalarType>(type, bits)[0] = x;
  return bits[0];
}

/** The element that a word holds. */
export const elementOf = (type: ScalarType, word: number): number =>
  wordsOf<ScalarType>(type, Uint32Array.of(word))[0];

/** Arrays, one after the other. */
export function joined(pieces: readonly Uint32Array[], before = 0): Uint32Array {
  const words = new Uint32Array(pieces.reduce((sum, { length }) => sum + length, before));
  let at = before;
  for (const piece of pieces) {
    words.set(piece, at);
    at += piece.length;
  }
  return words;
}
