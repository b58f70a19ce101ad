import type { Bound, SearchBackend } from "../../../core/primitives/backend.ts";
import { maxKept, type SetOperation } from "../../../core/primitives/set-operations.ts";
import type { ScalarType } from "../../../core/primitives/vector.ts";
import { windowOf } from "./chunks.ts";
import { together } from "./eventual.ts";
import { keyOf } from "./kernels.ts";
import type { GpuVector } from "./vector.ts";
import type { VectorIo } from "./vector-io.ts";

const setMethods = { union: "setUnion", intersection: "setIntersection", difference: "setDifference" };

/** What is done with ascending vectors. */
export const gpuSearch = (io: VectorIo): SearchBackend => ({
  search<T extends ScalarType>(bound: Bound, of: GpuVector<T>, wanted: GpuVector<T>) {
    const { session } = io;
    return io.using([of, wanted], async (ticket) => {
      const chunks = io.chunks([wanted]);
      const [search, elements, by] = await ticket.ready(
        Promise.all([
          session.compiled(keyOf("search", bound, of.type), async () => {
            const { createSearch } = await import("../search/search.ts");
            return createSearch(session.gpu, of.type, bound);
          }),
          io.reader(of),
          io.chunkReaders(chunks, [wanted]),
        ]),
      );
      return io.produce({ type: "u32", length: wanted.length, components: 1 }, (output) => {
        const sorted = elements();
        io.encodeChunks(chunks, (chunk, k) => {
          const [needles] = by[k].map((read) => read());
          search.record(session.recorder, { sorted, needles, output: windowOf(output, chunk) });
        });
      });
    });
  },

  upperBoundCounting(of: GpuVector<"u32">, count) {
    const what = "upperBoundCounting";
    io.checkBinding(what, count);
    const { session } = io;
    return io.using([of], async (ticket) => {
      const [search, elements] = await ticket.ready(
        together([
          session.compiled(what, async () => {
            const { createCountingSearch } = await import("../counting-search/counting-search.ts");
            return createCountingSearch(session.gpu, await session.strategy());
          }),
          io.reader(of),
        ]),
      );
      return io.produce({ type: "u32", length: count, components: 1 }, (output) =>
        search.record(session.recorder, { sorted: elements(), output }),
      );
    });
  },

  merge<T extends ScalarType>(x: GpuVector<T>, y: GpuVector<T>) {
    const length = x.length + y.length;
    io.checkBinding("merge", length);
    const { session } = io;
    const { type } = x;
    return io.using([x, y], async (ticket) => {
      const [merge, [readA, readB]] = await ticket.ready(
        Promise.all([
          session.compiled(keyOf("merge", type), async () => {
            const { createMerge } = await import("../merge/merge.ts");
            return createMerge(session.gpu, type);
          }),
          io.readers(x, y),
        ]),
      );
      return io.produce({ type, length, components: 1 }, (output) =>
        merge.record(session.recorder, { a: readA(), b: readB(), output }),
      );
    });
  },

  combineSets<T extends ScalarType>(operation: SetOperation, x: GpuVector<T>, y: GpuVector<T>) {
    const length = maxKept(operation, x.length, y.length);
    io.checkBinding(setMethods[operation], length);
    const { session } = io;
    const { type } = x;
    return io.using([x, y], async (ticket) => {
      const [operator, [readA, readB]] = await ticket.ready(
        Promise.all([
          session.compiled(keyOf("set", operation, type), async () => {
            const { createSetOperator } = await import("../sets/sets.ts");
            return createSetOperator(session.gpu, type, operation, await session.strategy());
          }),
          io.readers(x, y),
        ]),
      );
      const { vectors, total } = await ticket.recorded(
        io.produceCounted([{ type, length, components: 1 }], ([output], kept) =>
          operator.record(session.recorder, { a: readA(), b: readB(), output, total: kept }),
        ),
      );
      return io.shortened(vectors[0], total);
    });
  },
});
