import {
  checkBits,
  checkIndices,
  checkSameLength,
  checkScalar,
  checkType,
} from "../../core/primitives/checks.ts";
import type { KeysAndValues, Primitives, Segments, SortOptions } from "../../core/primitives/primitives.ts";
import type { ScalarType, Vector } from "../../core/primitives/vector.ts";
import { CpuDataMovement } from "./data-movement.ts";
import { gatheredWords } from "./move.ts";
import { countsBelow, mergedWords, type SetRule, searchWords, setRules, setWords } from "./search.ts";
import { segmentStarts } from "./segments.ts";
import { inverse, orderWithin, sortedOrder } from "./sort.ts";
import type { CpuVector } from "./vector.ts";

/**
 * The primitives over typed arrays: the reference for other implementations, what runs where there is no GPU, and a
 * rank's share there. Vectors with memory hold up to 2³⁰ words; views are made up at each use.
 */
export class CpuPrimitives extends CpuDataMovement implements Primitives {
  readonly name = "cpu";

  async lowerBound<T extends ScalarType>(sorted: Vector<T>, needles: Vector<T>): Promise<Vector<"u32">> {
    return this.#search("lowerBound", sorted, needles, false);
  }

  async upperBound<T extends ScalarType>(sorted: Vector<T>, needles: Vector<T>): Promise<Vector<"u32">> {
    return this.#search("upperBound", sorted, needles, true);
  }

  async upperBoundCounting(sorted: Vector<"u32">, count: number): Promise<Vector<"u32">> {
    const what = "upperBoundCounting";
    const counts = this.read(what, "sorted", sorted);
    checkIndices(what, "sorted", sorted);
    this.checkRoom(what, count);
    return this.own("u32", countsBelow(counts.words(), count));
  }

  async merge<T extends ScalarType>(a: Vector<T>, b: Vector<T>): Promise<Vector<T>> {
    const [x, y] = this.#alike("merge", { a, b });
    this.checkRoom("merge", a.length + b.length);
    return this.own(a.type, mergedWords(a.type, x.words(), y.words()));
  }

  async setUnion<T extends ScalarType>(a: Vector<T>, b: Vector<T>): Promise<Vector<T>> {
    return this.#combine("setUnion", a, b, setRules.union);
  }

  async setIntersection<T extends ScalarType>(a: Vector<T>, b: Vector<T>): Promise<Vector<T>> {
    return this.#combine("setIntersection", a, b, setRules.intersection);
  }

  async setDifference<T extends ScalarType>(a: Vector<T>, b: Vector<T>): Promise<Vector<T>> {
    return this.#combine("setDifference", a, b, setRules.difference);
  }

  async sort<T extends ScalarType>(keys: Vector<T>, options?: SortOptions): Promise<Vector<T>> {
    const order = this.#order("sort", keys, options);
    return this.own(keys.type, gatheredWords(keys.type, order, this.readScalar("sort", "keys", keys), 1));
  }

  async sortByKey<K extends ScalarType, V extends ScalarType>(
    keys: Vector<K>,
    values: Vector<V>,
    options?: SortOptions,
  ): Promise<KeysAndValues<K, V>> {
    const what = "sortByKey";
    const { type, components, words } = this.read(what, "values", values);
    this.read(what, "keys", keys);
    checkSameLength(what, { keys, values });
    const order = this.#order(what, keys, options);
    return {
      keys: this.own(keys.type, gatheredWords(keys.type, order, this.readScalar(what, "keys", keys), 1)),
      values: this.own(type, gatheredWords(type, order, words(), components), components),
    };
  }

  async segmentedSort<T extends ScalarType>(
    keys: Vector<T>,
    segments: Segments,
    options?: SortOptions,
  ): Promise<Vector<T>> {
    const what = "segmentedSort";
    this.read(what, "keys", keys);
    const starts = segmentStarts(keys.length, this.heads(what, segments, "keys to sort", keys));
    const order = orderWithin(this.#order(what, keys, options), starts);
    return this.own(keys.type, gatheredWords(keys.type, order, this.readScalar(what, "keys", keys), 1));
  }

  async argsort(keys: Vector, options?: SortOptions): Promise<Vector<"u32">> {
    return this.own("u32", this.#order("argsort", keys, options));
  }

  async rank(keys: Vector, options?: SortOptions): Promise<Vector<"u32">> {
    return this.own("u32", inverse(this.#order("rank", keys, options)));
  }

  #order(what: string, keys: Vector, options?: SortOptions): Uint32Array {
    const read = this.read(what, "keys", keys);
    checkScalar(what, "keys", keys);
    checkBits(what, options);
    return sortedOrder(keys.type, read.words(), options);
  }

  #search<T extends ScalarType>(what: string, sorted: Vector<T>, needles: Vector<T>, isUpper: boolean) {
    const [words, wanted] = this.#alike(what, { sorted, needles });
    return this.own("u32", searchWords(words.words(), wanted.words(), isUpper));
  }

  #combine<T extends ScalarType>(what: string, a: Vector<T>, b: Vector<T>, rule: SetRule): Vector<T> {
    const [x, y] = this.#alike(what, { a, b });
    this.checkRoom(what, a.length + b.length);
    return this.own(a.type, setWords(a.type, x.words(), y.words(), rule));
  }

  /** Two vectors of single words of one type. */
  #alike<T extends ScalarType>(
    what: string,
    vectors: Readonly<Record<string, Vector<T>>>,
  ): readonly CpuVector<T>[] {
    const entries = Object.entries(vectors);
    const read = entries.map(([name, vector]) => this.read(what, name, vector));
    for (const [name, vector] of entries) {
      checkScalar(what, name, vector);
      checkType(what, name, vector, entries[0][1].type);
    }
    return read;
  }
}
