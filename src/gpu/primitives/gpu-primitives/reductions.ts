import { checkSameLength, checkType } from "../../../core/primitives/checks.ts";
import type {
  BinaryOperator,
  LocatingOperator,
  Operator,
  Predicate,
  UnaryFunction,
} from "../../../core/primitives/functions.ts";
import { edgesOf, evenBins } from "../../../core/primitives/histogram.ts";
import { argmax, argmin, isLocating } from "../../../core/primitives/operators.ts";
import type { Vector } from "../../../core/primitives/vector.ts";
import { fromWord, toWord } from "../base/operator-wgsl.ts";
import {
  counting,
  elementOfKey,
  equality,
  extremes,
  innerProduct,
  noPosition,
  ofSums,
  position,
  reduction,
} from "../reduce/kernels.ts";
import type { Reduce, ReduceKernel } from "../reduce/reduce.ts";
import { chunkOf } from "./chunks.ts";
import { GpuElementwise } from "./elementwise.ts";
import type { Eventual } from "./eventual.ts";
import { keyOf } from "./kernels.ts";
import type { GpuVector } from "./vector.ts";

interface Limits {
  readonly init?: readonly number[];
  readonly empty: readonly number[];
}

/** What sums elements up. */
export class GpuReductions extends GpuElementwise {
  async reduce(vector: Vector, operator: Operator, init?: number): Promise<number> {
    const of = this.readScalar("reduce", "vector", vector);
    if (isLocating(operator)) return this.#position(of, position(of.type, operator), init);
    return this.#sum([of], reduction(of.type, operator), operator, init);
  }

  async transformReduce(
    vector: Vector,
    f: UnaryFunction,
    operator: Operator,
    init?: number,
    type = vector.type,
  ): Promise<number> {
    const of = this.readScalar("transformReduce", "vector", vector);
    if (isLocating(operator)) return this.#position(of, position(type, operator, f, of.type), init, type);
    return this.#sum([of], reduction(type, operator, f, of.type), operator, init, type);
  }

  async innerProduct(
    a: Vector,
    b: Vector,
    combine: BinaryOperator,
    pair: BinaryOperator,
    init?: number,
  ): Promise<number> {
    const what = "innerProduct";
    const vectors = [this.readScalar(what, "a", a), this.readScalar(what, "b", b)];
    checkSameLength(what, { a, b });
    checkType(what, "b", b, a.type);
    return this.#sum(vectors, innerProduct(a.type, combine, pair), combine, init);
  }

  async minmax(vector: Vector): Promise<readonly [min: number, max: number]> {
    const of = this.readScalar("minmax", "vector", vector);
    const words = await this.#reduced([of], extremes(of.type), { empty: noPosition });
    const [least, greatest] = [0, 1].map((part) =>
      words.reduce((key, word, k) => (k % 2 === part ? Math.min(key, word) : key), noPosition[part]),
    );
    if (least === noPosition[0] && greatest === noPosition[1]) return [Number.NaN, Number.NaN];
    return [elementOfKey(of.type, least), elementOfKey(of.type, ~greatest >>> 0)];
  }

  async argmin(vector: Vector): Promise<number> {
    return this.#located("argmin", vector, argmin);
  }

  async argmax(vector: Vector): Promise<number> {
    return this.#located("argmax", vector, argmax);
  }

  async count(vector: Vector, value: number): Promise<number> {
    const of = this.readScalar("count", "vector", vector);
    const [count] = await this.#reduced([of], equality(of.type), { empty: [0, toWord(of.type, value)] });
    return count;
  }

  async countIf(vector: Vector, predicate: Predicate): Promise<number> {
    return this.#count("countIf", vector, predicate);
  }

  async all(vector: Vector, predicate: Predicate): Promise<boolean> {
    return (await this.#count("all", vector, predicate)) === vector.length;
  }

  async any(vector: Vector, predicate: Predicate): Promise<boolean> {
    return (await this.#count("any", vector, predicate)) > 0;
  }

  async none(vector: Vector, predicate: Predicate): Promise<boolean> {
    return (await this.#count("none", vector, predicate)) === 0;
  }

  async histogramEven(vector: Vector, low: number, high: number, bins: number): Promise<Vector<"u32">> {
    const what = "histogramEven";
    const of = this.readScalar(what, "vector", vector);
    const { type } = of;
    evenBins(type, low, high, bins);
    this.checkRoom(what, bins);
    return this.using([of], async (ticket) => {
      const chunks = this.chunks([of]);
      const [histogram, inputs] = await ticket.ready(
        Promise.all([
          this.session.compiled(keyOf(what, type), async () => {
            const { createHistogramEven } = await import("../histogram/histogram.ts");
            return createHistogramEven(this.session.gpu, type);
          }),
          this.readers(...chunks.map((chunk) => chunkOf(of, chunk))),
        ]),
      );
      const { recorder } = this.session;
      return this.produce({ type: "u32", length: bins, components: 1 }, (output) =>
        this.encodeChunks(chunks, (_, k) =>
          histogram.record(recorder, { input: inputs[k](), output, low, high, adds: k > 0 }),
        ),
      );
    });
  }

  async histogramRange(vector: Vector, edges: readonly number[]): Promise<Vector<"u32">> {
    const what = "histogramRange";
    const of = this.readScalar(what, "vector", vector);
    const { type } = of;
    const limits = this.read(what, "edges", this.fromHost(type, edgesOf(type, edges)));
    try {
      return await this.using([of, limits], async (ticket) => {
        const chunks = this.chunks([of]);
        const [histogram, from, inputs] = await ticket.ready(
          Promise.all([
            this.session.compiled(keyOf(what, type), async () => {
              const { createHistogramRange } = await import("../histogram/histogram.ts");
              return createHistogramRange(this.session.gpu, type);
            }),
            this.reader(limits),
            this.readers(...chunks.map((chunk) => chunkOf(of, chunk))),
          ]),
        );
        const { recorder } = this.session;
        return this.produce({ type: "u32", length: edges.length - 1, components: 1 }, (output) =>
          this.encodeChunks(chunks, (_, k) =>
            histogram.record(recorder, { input: inputs[k](), output, edges: from(), adds: k > 0 }),
          ),
        );
      });
    } finally {
      limits.release();
    }
  }

  async #sum(
    vectors: readonly GpuVector[],
    kernel: ReduceKernel,
    operator: BinaryOperator,
    init?: number,
    type = vectors[0].type,
  ): Promise<number> {
    const [word] = await this.#reduced(vectors, kernel, {
      init: init === undefined ? undefined : [toWord(type, init)],
      empty: [toWord(type, operator.identity(type))],
    });
    return fromWord(type, word);
  }

  async #located(what: string, vector: Vector, operator: LocatingOperator): Promise<number> {
    const of = this.readScalar(what, "vector", vector);
    return this.#position(of, position(of.type, operator));
  }

  async #position(of: GpuVector, kernel: ReduceKernel, init?: number, type = of.type): Promise<number> {
    const [, none] = noPosition;
    const words = await this.#reduced([of], kernel, {
      init: init === undefined ? undefined : [toWord(type, init), none],
      empty: [0, none],
    });
    let [least, found]: readonly number[] = [none, -1];
    for (const [k, { from }] of this.chunks([of]).entries()) {
      const [key, place] = words.subarray(2 * k);
      if (place === none || (found >= 0 && key >= least)) continue;
      [least, found] = [key, from + place];
    }
    return found;
  }

  async #count(what: string, vector: Vector, predicate: Predicate): Promise<number> {
    const of = this.readScalar(what, "vector", vector);
    const [count] = await this.#reduced([of], counting(of.type, predicate), { empty: [0] });
    return count;
  }

  /** The result in one word, or those of all chunks in two each. */
  #reduced(vectors: readonly GpuVector[], kernel: ReduceKernel, limits: Limits): Promise<Uint32Array> {
    return this.using(vectors, async (ticket) => {
      const chunks = this.chunks(vectors);
      const words = kernel.accumulator.startsWith("vec2") ? 2 : 1;
      const isJoined = chunks.length > 1 && words === 1;
      const [reduce, join, inputs] = await ticket.ready(
        Promise.all([
          this.#compiled(kernel),
          isJoined ? this.#compiled(ofSums(kernel)) : undefined,
          this.chunkReaders(chunks, vectors),
        ]),
      );
      const { recorder } = this.session;
      const room = (length: number) => ({
        buffer: recorder.workspace("result", length * 4),
        offset: 0,
        length,
      });
      return ticket.recorded(
        this.session.read(() => {
          const sums = room(chunks.length * words);
          this.encodeChunks(chunks, (_, k) =>
            reduce.record(recorder, {
              inputs: inputs[k].map((input) => input()),
              result: { ...sums, offset: k * words, length: words },
              ...limits,
              init: join ? undefined : limits.init,
            }),
          );
          if (!join) return sums;
          const result = room(1);
          join.record(recorder, { inputs: [sums], result, ...limits });
          return result;
        }),
      );
    });
  }

  #compiled(kernel: ReduceKernel): Eventual<Reduce> {
    const { session } = this;
    return session.compiled(keyOf("reduce", kernel), async () => {
      const { createReduce } = await import("../reduce/reduce.ts");
      return createReduce(session.gpu, kernel);
    });
  }
}
