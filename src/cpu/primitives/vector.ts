import { CrinkleError } from "../../core/errors.ts";
import { checkLength } from "../../core/primitives/checks.ts";
import type { HostArray, ScalarType, Vector } from "../../core/primitives/vector.ts";

/** Memory that vectors and their views share; empty once it has been released. */
export interface Memory {
  words: HostArray | Float64Array | undefined;
}

/** A vector in host memory, or a view that makes its words up. */
export interface CpuVector<T extends ScalarType = ScalarType> extends Vector<T> {
  /** The primitives that made it. */
  readonly owner: object;
  /** All memory that it reads. */
  readonly memories: readonly Memory[];
  /** Whether `words` are the memory itself and not made up. */
  readonly isWritable: boolean;
  /** The words of all elements, interleaved. */
  words(): HostArray<T>;
  /** The same numbers, where they are held with more digits than words have. */
  readonly wide?: () => Float64Array;
}

export const isCpuVector = <T extends ScalarType>(vector: Vector<T>): vector is CpuVector<T> =>
  "owner" in vector && "memories" in vector;

/** Words of the longest vector with memory: 4 GiB. */
export const maxWords = 2 ** 30;

/** Zeros, in the type's array. TooLarge over `maxWords`, OutOfMemory where the host has no room. */
export function newWords<T extends ScalarType>(type: T, length: number): HostArray<T>;
export function newWords(type: ScalarType, length: number): HostArray {
  checkLength("A vector", length, maxWords);
  try {
    if (type === "f32") return new Float32Array(length);
    return type === "u32" ? new Uint32Array(length) : new Int32Array(length);
  } catch (cause) {
    throw new CrinkleError({
      tag: "OutOfMemory",
      problem: `There is no room for ${length} words in memory.`,
      remedy: "Release vectors, or work on parts of them.",
      cause,
    });
  }
}

/** A vector with memory of its own, which `words` become. */
export function memoryVector<T extends ScalarType>(
  owner: object,
  type: T,
  words: HostArray<T>,
  components = 1,
): CpuVector<T> {
  const memory: { words: HostArray<T> | undefined } = { words };
  return {
    owner,
    type,
    length: words.length / components,
    components,
    memories: [memory],
    isWritable: true,
    words: () => memory.words ?? newWords(type, 0),
    release: () => {
      memory.words = undefined;
    },
  };
}

/** Makes vectors of an owner, with memory of their own. */
export const vectorMaker =
  (owner: object) =>
  <T extends ScalarType>(type: T, words: HostArray<T>, components?: number): CpuVector<T> =>
    memoryVector(owner, type, words, components);

export type NewVector = ReturnType<typeof vectorMaker>;

/** The words of a vector, which are nobody else's: those that were made up for this use are as they are. */
export function ownWords<T extends ScalarType>({
  type,
  isWritable,
  words: wordsOf,
}: CpuVector<T>): HostArray<T> {
  const words = wordsOf();
  if (!isWritable && words.byteLength === words.buffer.byteLength) return words;
  const copy = newWords(type, words.length);
  copy.set(words);
  return copy;
}

/** A vector over numbers of f64: whatever cannot read those gets the nearest f32. */
export function wideVector(owner: object, numbers: Float64Array): CpuVector<"f32"> {
  const memory: { words: Float64Array | undefined } = { words: numbers };
  const wide = () => memory.words ?? new Float64Array(0);
  return {
    owner,
    type: "f32",
    length: numbers.length,
    components: 1,
    memories: [memory],
    isWritable: false,
    words: () => Float32Array.from(wide()),
    wide,
    release: () => {
      memory.words = undefined;
    },
  };
}

/** A view of what `of` read, or of nothing. `words` is asked for each use anew. */
export function viewVector<T extends ScalarType>(
  owner: object,
  shape: { readonly type: T; readonly length: number; readonly components: number },
  of: readonly CpuVector[],
  words: () => HostArray<T>,
  isWritable = false,
): CpuVector<T> {
  const { type, length, components } = shape;
  const memories = of.length > 1 ? of.flatMap((vector) => vector.memories) : (of[0]?.memories ?? []);
  return { owner, type, length, components, memories, isWritable, words, release: () => {} };
}
