import type { ReductionsBackend } from "../../../core/primitives/backend.ts";
import type { BinaryOperator, Predicate } from "../../../core/primitives/functions.ts";
import { isLocating } from "../../../core/primitives/operators.ts";
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
import type { Eventual } from "./eventual.ts";
import { keyOf } from "./kernels.ts";
import type { Session } from "./session.ts";
import type { GpuVector } from "./vector.ts";
import type { VectorIo } from "./vector-io.ts";

interface Limits {
  readonly init?: readonly number[];
  readonly empty: readonly number[];
}

/** What sums elements up. */
export const gpuReductions = (io: VectorIo): ReductionsBackend => ({
  reduce(of: GpuVector, operator, init, f, type = of.type) {
    const readAs = f && of.type;
    if (isLocating(operator)) return locate(io, of, position(type, operator, f, readAs), init, type);
    return sum(io, [of], reduction(type, operator, f, readAs), operator, init, type);
  },

  innerProduct: (a: GpuVector, b: GpuVector, combine, pair, init) =>
    sum(io, [a, b], innerProduct(a.type, combine, pair), combine, init),

  async minmax(of: GpuVector) {
    const words = await reduced(io, [of], extremes(of.type), { empty: noPosition });
    const [least, greatest] = [0, 1].map((part) =>
      words.reduce((key, word, k) => (k % 2 === part ? Math.min(key, word) : key), noPosition[part]),
    );
    if (least === noPosition[0] && greatest === noPosition[1]) return [Number.NaN, Number.NaN];
    return [elementOfKey(of.type, least), elementOfKey(of.type, ~greatest >>> 0)];
  },

  async count(of: GpuVector, value) {
    const limits = { empty: [0, toWord(of.type, value)] };
    const [count] = await reduced(io, [of], equality(of.type), limits);
    return count;
  },

  countIf: (of: GpuVector, predicate) => countIf(io, of, predicate),
  all: async (of: GpuVector, predicate) => (await countIf(io, of, predicate)) === of.length,
  any: async (of: GpuVector, predicate) => (await countIf(io, of, predicate)) > 0,
});

async function sum(
  io: VectorIo,
  vectors: readonly GpuVector[],
  kernel: ReduceKernel,
  operator: BinaryOperator,
  init?: number,
  type = vectors[0].type,
): Promise<number> {
  const [word] = await reduced(io, vectors, kernel, {
    init: init === undefined ? undefined : [toWord(type, init)],
    empty: [toWord(type, operator.identity(type))],
  });
  return fromWord(type, word);
}

async function locate(
  io: VectorIo,
  of: GpuVector,
  kernel: ReduceKernel,
  init?: number,
  type = of.type,
): Promise<number> {
  const [, none] = noPosition;
  const words = await reduced(io, [of], kernel, {
    init: init === undefined ? undefined : [toWord(type, init), none],
    empty: [0, none],
  });
  let [least, found]: readonly number[] = [none, -1];
  for (const [k, { from }] of io.chunks([of]).entries()) {
    const [key, place] = words.subarray(2 * k);
    if (place === none || (found >= 0 && key >= least)) continue;
    [least, found] = [key, from + place];
  }
  return found;
}

async function countIf(io: VectorIo, of: GpuVector, predicate: Predicate): Promise<number> {
  const [count] = await reduced(io, [of], counting(of.type, predicate), { empty: [0] });
  return count;
}

/** The result in one word, or those of all chunks in two each. */
function reduced(
  io: VectorIo,
  vectors: readonly GpuVector[],
  kernel: ReduceKernel,
  limits: Limits,
): Promise<Uint32Array> {
  return io.using(vectors, async (ticket) => {
    const chunks = io.chunks(vectors);
    const words = kernel.accumulator.startsWith("vec2") ? 2 : 1;
    const isJoined = chunks.length > 1 && words === 1;
    const [reduce, join, inputs] = await ticket.ready(
      Promise.all([
        compiled(io.session, kernel),
        isJoined ? compiled(io.session, ofSums(kernel)) : undefined,
        io.chunkReaders(chunks, vectors),
      ]),
    );
    const { recorder } = io.session;
    const room = (length: number) => ({
      buffer: recorder.workspace("result", length * 4),
      offset: 0,
      length,
    });
    return ticket.recorded(
      io.session.read(() => {
        const sums = room(chunks.length * words);
        io.encodeChunks(chunks, (_, k) =>
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

function compiled(session: Session, kernel: ReduceKernel): Eventual<Reduce> {
  return session.compiled(keyOf("reduce", kernel), async () => {
    const { createReduce } = await import("../reduce/reduce.ts");
    return createReduce(session.gpu, kernel);
  });
}
