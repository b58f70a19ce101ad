import {
  badArgument,
  checkBits,
  checkIndices,
  checkSameLength,
  checkScalar,
  checkType,
} from "../../../core/primitives/checks.ts";
import { add } from "../../../core/primitives/operators.ts";
import type {
  KeysAndValues,
  Primitives,
  Segments,
  SortOptions,
} from "../../../core/primitives/primitives.ts";
import { maxKept, type SetOperation } from "../../../core/primitives/set-operations.ts";
import type { ScalarType, Vector } from "../../../core/primitives/vector.ts";
import type { GpuContext } from "../../device/context.ts";
import type { PrimitiveStrategy } from "../base/strategy.ts";
import type { Bound } from "../search/search.ts";
import type { RadixSort } from "../sort/radix-sort.ts";
import { checkBound, minBindingBytes, windowOf } from "./chunks.ts";
import { GpuDataMovement } from "./data-movement.ts";
import { type Eventual, together } from "./eventual.ts";
import { keyOf } from "./kernels.ts";
import { Session } from "./session.ts";
import type { GpuVector } from "./vector.ts";

export interface GpuPrimitivesOptions {
  /** What the device does right and fast, tried where it is left out. */
  readonly strategy?: PrimitiveStrategy;
  /**
   * Bytes that are bound as one at most, 2048 or more: longer vectors are worked on in chunks. What the device binds
   * where it is left out.
   */
  readonly maxBindingBytes?: number;
}

/**
 * The primitives on a GPU. Methods record, in the order of the calls, and return: a chain of them is one submission,
 * made when a number or the host's data is read, when 64 methods have been recorded, or by `flush`. Results of unknown
 * length (copyIf, unique, sets, runs) read that length. Vectors take the memory that released ones left. Views are read
 * in place where a kernel of elements reads them, and made up in workspace elsewhere. Vectors longer than a binding are
 * worked on in chunks; TooLarge where a method needs them whole. Methods throw DeviceLost once the device is gone.
 */
export class GpuPrimitives extends GpuDataMovement implements Primitives {
  readonly name: string;

  constructor(session: Session, name: string) {
    super(session);
    this.name = name;
  }

  async lowerBound<T extends ScalarType>(sorted: Vector<T>, needles: Vector<T>): Promise<Vector<"u32">> {
    return this.#search("lowerBound", sorted, needles, "lower");
  }

  async upperBound<T extends ScalarType>(sorted: Vector<T>, needles: Vector<T>): Promise<Vector<"u32">> {
    return this.#search("upperBound", sorted, needles, "upper");
  }

  async upperBoundCounting(sorted: Vector<"u32">, count: number): Promise<Vector<"u32">> {
    const what = "upperBoundCounting";
    const of = this.read(what, "sorted", sorted);
    checkIndices(what, "sorted", sorted);
    this.checkRoom(what, count);
    const { session } = this;
    return this.using([of], async (ticket) => {
      const [search, elements] = await ticket.ready(
        together([
          session.compiled(what, async () => {
            const { createCountingSearch } = await import("../counting-search/counting-search.ts");
            return createCountingSearch(session.gpu, await session.strategy());
          }),
          this.reader(of),
        ]),
      );
      return this.produce({ type: "u32", length: count, components: 1 }, (output) =>
        search.record(session.recorder, { sorted: elements(), output }),
      );
    });
  }

  async merge<T extends ScalarType>(a: Vector<T>, b: Vector<T>): Promise<Vector<T>> {
    const [x, y] = this.#alike("merge", { a, b });
    this.checkRoom("merge", a.length + b.length);
    const { session } = this;
    const { type } = x;
    return this.using([x, y], async (ticket) => {
      const [merge, [readA, readB]] = await ticket.ready(
        Promise.all([
          session.compiled(keyOf("merge", type), async () => {
            const { createMerge } = await import("../merge/merge.ts");
            return createMerge(session.gpu, type);
          }),
          this.readers(x, y),
        ]),
      );
      return this.produce({ type, length: a.length + b.length, components: 1 }, (output) =>
        merge.record(session.recorder, { a: readA(), b: readB(), output }),
      );
    });
  }

  async setUnion<T extends ScalarType>(a: Vector<T>, b: Vector<T>): Promise<Vector<T>> {
    return this.#combine("setUnion", "union", a, b);
  }

  async setIntersection<T extends ScalarType>(a: Vector<T>, b: Vector<T>): Promise<Vector<T>> {
    return this.#combine("setIntersection", "intersection", a, b);
  }

  async setDifference<T extends ScalarType>(a: Vector<T>, b: Vector<T>): Promise<Vector<T>> {
    return this.#combine("setDifference", "difference", a, b);
  }

  async sort<T extends ScalarType>(keys: Vector<T>, options?: SortOptions): Promise<Vector<T>> {
    const of = this.#keys("sort", keys, options);
    return this.using([of], async (ticket) => {
      const [sort, input] = await ticket.ready(Promise.all([this.#sorter(), this.reader(of)]));
      return this.produce(of, (sorted) =>
        sort.record(this.session.recorder, { ...request(of, options), keys: input(), sorted }),
      );
    });
  }

  async sortByKey<K extends ScalarType, V extends ScalarType>(
    keys: Vector<K>,
    values: Vector<V>,
    options?: SortOptions,
  ): Promise<KeysAndValues<K, V>> {
    const what = "sortByKey";
    const of = this.read(what, "values", values);
    this.read(what, "keys", keys);
    checkSameLength(what, { keys, values });
    const by = this.#keys(what, keys, options);
    return this.using([of, by], async (ticket) => {
      const [sort, [input, carried]] = await ticket.ready(
        Promise.all([this.#sorter(), this.readers(by, of)]),
      );
      const [sortedKeys, sortedValues] = this.produceAll<K | V>([by, of], ([sorted, sortedValues]) =>
        sort.recordPairs(this.session.recorder, {
          ...request(by, options),
          keys: input(),
          values: carried(),
          words: of.components,
          sorted,
          sortedValues,
        }),
      );
      return { keys: sortedKeys as GpuVector<K>, values: sortedValues as GpuVector<V> };
    });
  }

  async segmentedSort<T extends ScalarType>(
    keys: Vector<T>,
    segments: Segments,
    options?: SortOptions,
  ): Promise<Vector<T>> {
    const what = "segmentedSort";
    this.read(what, "keys", keys);
    const [descriptor, kind] = this.segmentDescriptorOf(what, segments, "keys to sort", keys);
    const of = this.#keys(what, keys, options);
    const { recorder } = this.session;
    return this.using([of, descriptor], async (ticket) => {
      const [sort, number, [input, within]] = await ticket.ready(
        Promise.all([
          this.#sorter(),
          this.scanOf("u32", add, { segments: kind, countsHeads: true }),
          this.readers(of, descriptor),
        ]),
      );
      return this.produce(of, (sorted) => {
        const { length } = of;
        const segmentNumbers = { buffer: recorder.workspace("segments", length * 4), offset: 0, length };
        number.record(recorder, { segments: within(), output: segmentNumbers });
        const all = { ...request(of, options), keys: input(), sorted, segmentNumbers, segments: length + 1 };
        sort.recordSegmented(recorder, all);
      });
    });
  }

  async argsort(keys: Vector, options?: SortOptions): Promise<Vector<"u32">> {
    const of = this.#keys("argsort", keys, options);
    return this.using([of], async (ticket) => {
      const [sort, input] = await ticket.ready(Promise.all([this.#sorter(), this.reader(of)]));
      return this.produce({ type: "u32", length: of.length, components: 1 }, (order) =>
        sort.recordArgsort(this.session.recorder, { ...request(of, options), keys: input(), order }),
      );
    });
  }

  async rank(keys: Vector, options?: SortOptions): Promise<Vector<"u32">> {
    const of = this.#keys("rank", keys, options);
    return this.using([of], async (ticket) => {
      const [sort, input] = await ticket.ready(Promise.all([this.#sorter(), this.reader(of)]));
      return this.produce({ type: "u32", length: of.length, components: 1 }, (rank) =>
        sort.recordRank(this.session.recorder, { ...request(of, options), keys: input(), rank }),
      );
    });
  }

  #sorter(): Eventual<RadixSort> {
    const { session } = this;
    return session.compiled("sort", async () => {
      const { createRadixSort } = await import("../sort/radix-sort.ts");
      return createRadixSort(session.gpu, await session.strategy());
    });
  }

  #keys<T extends ScalarType>(what: string, keys: Vector<T>, options?: SortOptions): GpuVector<T> {
    const of = this.readScalar(what, "keys", keys);
    checkBits(what, options);
    checkBound(this.session.maxBinding, of);
    return of;
  }

  #search<T extends ScalarType>(
    what: string,
    sorted: Vector<T>,
    needles: Vector<T>,
    bound: Bound,
  ): Promise<Vector<"u32">> {
    const [of, wanted] = this.#alike(what, { sorted, needles });
    const { session } = this;
    return this.using([of, wanted], async (ticket) => {
      const chunks = this.chunks([wanted]);
      const [search, elements, by] = await ticket.ready(
        Promise.all([
          session.compiled(keyOf(what, of.type), async () => {
            const { createSearch } = await import("../search/search.ts");
            return createSearch(session.gpu, of.type, bound);
          }),
          this.reader(of),
          this.chunkReaders(chunks, [wanted]),
        ]),
      );
      return this.produce({ type: "u32", length: wanted.length, components: 1 }, (output) => {
        const sorted = elements();
        this.encodeChunks(chunks, (chunk, k) => {
          const [needles] = by[k].map((read) => read());
          search.record(session.recorder, { sorted, needles, output: windowOf(output, chunk) });
        });
      });
    });
  }

  #combine<T extends ScalarType>(
    what: string,
    operation: SetOperation,
    a: Vector<T>,
    b: Vector<T>,
  ): Promise<Vector<T>> {
    const [x, y] = this.#alike(what, { a, b });
    const length = maxKept(operation, a.length, b.length);
    this.checkRoom(what, length);
    const { session } = this;
    const { type } = x;
    return this.using([x, y], async (ticket) => {
      const [operator, [readA, readB]] = await ticket.ready(
        Promise.all([
          session.compiled(keyOf(what, type), async () => {
            const { createSetOperator } = await import("../sets/sets.ts");
            return createSetOperator(session.gpu, type, operation, await session.strategy());
          }),
          this.readers(x, y),
        ]),
      );
      const { vectors, total } = await ticket.recorded(
        this.produceCounted([{ type, length, components: 1 }], ([output], kept) =>
          operator.record(session.recorder, { a: readA(), b: readB(), output, total: kept }),
        ),
      );
      return this.shortened(vectors[0], total);
    });
  }

  /** Two vectors of single words of one type. */
  #alike<T extends ScalarType>(
    what: string,
    vectors: Readonly<Record<string, Vector<T>>>,
  ): readonly GpuVector<T>[] {
    const entries = Object.entries(vectors);
    const read = entries.map(([name, vector]) => this.read(what, name, vector));
    for (const [name, vector] of entries) {
      checkScalar(what, name, vector);
      checkType(what, name, vector, entries[0][1].type);
    }
    return read;
  }
}

const request = ({ type, length }: GpuVector, { descending, bits }: SortOptions = {}) => ({
  type,
  count: length,
  descending,
  bits,
});

const fastest = async (gpu: GpuContext): Promise<PrimitiveStrategy> => {
  const { chooseStrategy } = await import("../choose-strategy.ts");
  return chooseStrategy(gpu);
};

/** Primitives on a device, with the fastest strategy that it does right. */
export async function createGpuPrimitives(
  gpu: GpuContext,
  { strategy, maxBindingBytes }: GpuPrimitivesOptions = {},
): Promise<GpuPrimitives> {
  if (maxBindingBytes !== undefined && !(maxBindingBytes >= minBindingBytes)) {
    throw badArgument(
      `Primitives were to bind ${maxBindingBytes} bytes at most.`,
      `Let them bind ${minBindingBytes} bytes or more.`,
    );
  }
  const chosen = strategy ?? (await fastest(gpu));
  const name = `gpu, ${chosen.scan}, ${chosen.subgroups ? "with" : "without"} subgroups`;
  return new GpuPrimitives(new Session(gpu, async () => chosen, maxBindingBytes), name);
}
