import type { VectorsBackend } from "../../core/primitives/backend.ts";
import type { HostArray, ScalarType, Vector } from "../../core/primitives/vector.ts";
import { checkIndexRange, countingWords, filledWords, gatheredWords, reversedWords } from "./move.ts";
import {
  type CpuVector,
  isCpuVector,
  maxWords,
  memoryVector,
  type NewVector,
  newWords,
  ownWords,
  viewVector,
  wideVector,
} from "./vector.ts";

export interface Adopting {
  /** A vector over somebody else's memory, which is neither copied nor freed. */
  adopt<T extends ScalarType>(type: T, data: HostArray<T>): Vector<T>;
  /**
   * The same over numbers of f64, as f32: `reduceEach` and `countEach` read them with all their digits, other methods the
   * nearest f32.
   */
  adoptWide(numbers: Float64Array): Vector<"f32">;
}

export const adopting = (owner: object): Adopting => ({
  adopt: (type, data) => memoryVector(owner, type, data),
  adoptWide: (numbers) => wideVector(owner, numbers),
});

/** Vectors in host memory, which `owner` marks, and views of them. */
export const cpuVectors = (owner: object, newVector: NewVector): VectorsBackend => ({
  maxWords,
  checkAlive() {},

  stateOf(vector: Vector) {
    if (!isCpuVector(vector) || vector.owner !== owner) return "foreign";
    for (const { words } of vector.memories) if (words === undefined) return "released";
    return "held";
  },

  fromHost(type, data, components) {
    const words = newWords(type, data.length);
    words.set(data);
    return newVector(type, words, components);
  },

  toHost: <T extends ScalarType>(vector: CpuVector<T>) => ownWords(vector),
  element: (vector: CpuVector, i) => vector.words()[i],

  view<T extends ScalarType>(vector: CpuVector<T>, from: number, to: number) {
    const { type, components, isWritable } = vector;
    return viewVector(
      owner,
      { type, length: to - from, components },
      [vector],
      () => part(vector.words(), from * components, to * components),
      isWritable,
    );
  },

  counting: (type, length, start, step) =>
    viewVector(owner, { type, length, components: 1 }, [], () => countingWords(type, length, start, step)),

  constant: (type, length, value) =>
    viewVector(owner, { type, length, components: 1 }, [], () => filledWords(type, length, value)),

  reversed: <T extends ScalarType>(vector: CpuVector<T>) =>
    viewVector(owner, vector, [vector], () => reversedWords(vector.type, vector.words(), vector.components)),

  permuted<T extends ScalarType>(vector: CpuVector<T>, map: CpuVector<"u32">, isChecked: boolean) {
    const { type, components } = vector;
    return viewVector(owner, { type, length: map.length, components }, [vector, map], () => {
      const indices = map.words();
      if (isChecked) checkIndexRange("permuted", indices, vector.length);
      return gatheredWords(type, indices, vector.words(), components);
    });
  },
});

function part<T extends ScalarType>(words: HostArray<T>, from: number, to: number): HostArray<T>;
function part(words: HostArray, from: number, to: number): HostArray {
  return words.subarray(from, to);
}
