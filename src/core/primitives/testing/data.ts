import type { HostArray, ScalarType } from "../vector.ts";

export const scalarTypes: readonly ScalarType[] = ["u32", "i32", "f32"];

/** Random words, the same for each seed (xorshift). */
export function randomWords(n: number, seed: number): Uint32Array {
  let state = Math.imul(seed, 0x9e3779b1) | 1;
  return Uint32Array.from({ length: n }, () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return Math.imul(state, 0x85ebca6b) >>> 0;
  });
}

/** Numbers as elements of the type. */
export function arrayOf<T extends ScalarType>(type: T, numbers: ArrayLike<number>): HostArray<T>;
export function arrayOf(type: ScalarType, numbers: ArrayLike<number>): HostArray {
  if (type === "f32") return Float32Array.from(numbers);
  return type === "u32" ? Uint32Array.from(numbers) : Int32Array.from(numbers);
}

/** Words as elements of the type: any bits, for f32 NaN and infinities too. */
export function fromBits<T extends ScalarType>(type: T, words: Uint32Array): HostArray<T>;
export function fromBits(type: ScalarType, words: Uint32Array): HostArray {
  const { buffer } = words.slice();
  if (type === "f32") return new Float32Array(buffer);
  return type === "u32" ? new Uint32Array(buffer) : new Int32Array(buffer);
}

/** Whole numbers in [0, spread), less a half of it for signed types: f32 keeps them exactly. */
export function randomElements<T extends ScalarType>(
  type: T,
  n: number,
  seed: number,
  spread = 2 ** 24,
): HostArray<T> {
  const shift = type === "u32" ? 0 : Math.floor(spread / 2);
  return arrayOf(
    type,
    Array.from(randomWords(n, seed), (word) => (word % spread) - shift),
  );
}

/** f32 of which no two orders agree unless they are meant: signed zeros, NaN of both signs, infinities, extremes. */
export const specialFloats: readonly number[] = [
  Number.NaN,
  0,
  -0,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  2 ** 127 * (2 - 2 ** -23),
  -(2 ** 127) * (2 - 2 ** -23),
  2 ** -126,
  -(2 ** -126),
  1,
  -1,
  1 + 2 ** -23,
];

/** Words whose sorts go wrong first: few digits, few values, one value, orders that exist already. */
export function adversarialWords(n: number): Readonly<Record<string, Uint32Array>> {
  const draws = [1, 2, 3].map((seed) => randomWords(n, seed));
  const ascending = draws[0].slice().sort();
  return {
    random: draws[0],
    "and of two draws": draws[0].map((word, i) => word & draws[1][i]),
    "and of three draws": draws[0].map((word, i) => word & draws[1][i] & draws[2][i]),
    equal: new Uint32Array(n).fill(0x2a3b4c5d),
    "two values": draws[0].map((word) => (word >>> 31) * 0x01010101),
    ascending,
    descending: ascending.slice().reverse(),
    "one digit": draws[0].map((word) => word & 0xff00),
    "nearly sorted": ascending.map((word, i) => (i % 97 === 13 ? draws[1][i] : word)),
  };
}

/** Keys of runs: each of length 1, of random lengths up to `longest`, or one run. */
export function runKeys(n: number, longest: number, seed: number): Uint32Array {
  const words = randomWords(n, seed);
  const keys = new Uint32Array(n);
  for (let i = 1; i < n; i++) keys[i] = keys[i - 1] + (words[i] % longest === 0 ? 1 : 0);
  return keys;
}
