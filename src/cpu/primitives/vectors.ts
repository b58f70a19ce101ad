import {
  badArgument,
  checkComponents,
  checkIndices,
  checkLength,
  checkNotEmpty,
  checkRange,
  checkScalar,
  foreignVector,
  releasedVector,
} from "../../core/primitives/checks.ts";
import type { HostArray, ScalarType, Vector } from "../../core/primitives/vector.ts";
import { checkIndexRange, countingWords, gatheredWords, reversedWords } from "./move.ts";
import {
  type CpuVector,
  isCpuVector,
  maxWords,
  memoryVector,
  newWords,
  viewVector,
  wideVector,
} from "./vector.ts";

const arrayTypes = { u32: Uint32Array, i32: Int32Array, f32: Float32Array };

/** Vectors in host memory, and views of them. */
export class CpuVectors {
  fromHost<T extends ScalarType>(type: T, data: HostArray<T>, components = 1): Vector<T> {
    const what = "fromHost";
    if (!(data instanceof arrayTypes[type])) {
      throw badArgument(
        `${what} was given no ${arrayTypes[type].name} for ${type}.`,
        "Convert the data first.",
      );
    }
    checkComponents(what, data.length, components);
    this.checkRoom(what, data.length / components, components);
    const words = newWords(type, data.length);
    words.set(data);
    return this.own(type, words, components);
  }

  /** A vector over somebody else's memory, which is neither copied nor freed. */
  adopt<T extends ScalarType>(type: T, data: HostArray<T>): Vector<T> {
    return this.own(type, data);
  }

  /**
   * The same over numbers of f64, as f32: `reduceEach` and `countEach` read them with all their digits, other methods the
   * nearest f32.
   */
  adoptWide(numbers: Float64Array): Vector<"f32"> {
    return wideVector(this, numbers);
  }

  async toHost<T extends ScalarType>(vector: Vector<T>): Promise<HostArray<T>> {
    return this.copied(this.read("toHost", "vector", vector));
  }

  async front(vector: Vector): Promise<number> {
    const words = this.readScalar("front", "vector", vector);
    checkNotEmpty("front", vector);
    return words[0];
  }

  async back(vector: Vector): Promise<number> {
    const words = this.readScalar("back", "vector", vector);
    checkNotEmpty("back", vector);
    return words[words.length - 1];
  }

  view<T extends ScalarType>(vector: Vector<T>, from: number, to: number): Vector<T> {
    const of = this.read("view", "vector", vector);
    checkRange("view", from, to, vector.length);
    const { type, components, isWritable } = of;
    return viewVector(
      this,
      { type, length: to - from, components },
      [of],
      () => part(of.words(), from * components, to * components),
      isWritable,
    );
  }

  counting<T extends ScalarType>(type: T, length: number, start = 0, step = 1): Vector<T> {
    checkLength("counting", length);
    return viewVector(this, { type, length, components: 1 }, [], () =>
      countingWords(type, length, start, step),
    );
  }

  constant<T extends ScalarType>(type: T, length: number, value: number): Vector<T> {
    checkLength("constant", length);
    return viewVector(this, { type, length, components: 1 }, [], () => filled(type, length, value));
  }

  reversed<T extends ScalarType>(vector: Vector<T>): Vector<T> {
    const of = this.read("reversed", "vector", vector);
    return viewVector(this, of, [of], () => reversedWords(of.type, of.words(), of.components));
  }

  permuted<T extends ScalarType>(vector: Vector<T>, map: Vector<"u32">, checked = false): Vector<T> {
    const of = this.read("permuted", "vector", vector);
    const through = this.read("permuted", "map", map);
    checkIndices("permuted", "map", map);
    const { type, components } = of;
    return viewVector(this, { type, length: map.length, components }, [of, through], () => {
      const indices = through.words();
      if (checked) checkIndexRange("permuted", indices, of.length);
      return gatheredWords(type, indices, of.words(), components);
    });
  }

  /** The vector as one of ours that has not been released. */
  protected read<T extends ScalarType>(what: string, name: string, vector: Vector<T>): CpuVector<T> {
    if (!isCpuVector(vector) || vector.owner !== this) throw foreignVector(what, name);
    if (vector.memories.some(({ words }) => words === undefined)) throw releasedVector(what, name);
    return vector;
  }

  /** The words of a vector of single words. */
  protected readScalar<T extends ScalarType>(what: string, name: string, vector: Vector<T>): HostArray<T> {
    const read = this.read(what, name, vector);
    checkScalar(what, name, vector);
    return read.words();
  }

  protected own<T extends ScalarType>(type: T, words: HostArray<T>, components = 1): CpuVector<T> {
    return memoryVector(this, type, words, components);
  }

  /** Words that are nobody else's. */
  protected copied<T extends ScalarType>(vector: CpuVector<T>): HostArray<T> {
    const words = newWords(vector.type, vector.length * vector.components);
    words.set(vector.words());
    return words;
  }

  /** Throws where a vector with memory cannot have such a length. */
  protected checkRoom(what: string, length: number, components = 1): void {
    checkLength(what, length, Math.floor(maxWords / components));
  }
}

/** `length` elements of one value. */
export function filled<T extends ScalarType>(type: T, length: number, value: number): HostArray<T> {
  const words = newWords(type, length);
  words.fill(value);
  return words;
}

function part<T extends ScalarType>(words: HostArray<T>, from: number, to: number): HostArray<T>;
function part(words: HostArray, from: number, to: number): HostArray {
  return words.subarray(from, to);
}
