import type { SortBackend } from "../../../core/primitives/backend.ts";
import { add } from "../../../core/primitives/operators.ts";
import type { SortOptions } from "../../../core/primitives/primitives.ts";
import type { ScalarType } from "../../../core/primitives/vector.ts";
import type { RadixSort } from "../sort/radix-sort.ts";
import { checkBound } from "./chunks.ts";
import type { Eventual } from "./eventual.ts";
import { type GpuSegments, scanOf, segmentDescriptorOf } from "./scans.ts";
import type { Session } from "./session.ts";
import type { GpuVector } from "./vector.ts";
import type { VectorIo } from "./vector-io.ts";

/** Sorts, of keys that one binding holds. */
export const gpuSort = (io: VectorIo): SortBackend => ({
  sort<T extends ScalarType>(of: GpuVector<T>, options?: SortOptions) {
    checkBound(io.session.maxBinding, of);
    return io.using([of], async (ticket) => {
      const [sort, input] = await ticket.ready(Promise.all([sorter(io.session), io.reader(of)]));
      return io.produce(of, (sorted) =>
        sort.record(io.session.recorder, { ...request(of, options), keys: input(), sorted }),
      );
    });
  },

  sortByKey<K extends ScalarType, V extends ScalarType>(
    by: GpuVector<K>,
    of: GpuVector<V>,
    options?: SortOptions,
  ) {
    checkBound(io.session.maxBinding, by);
    return io.using([of, by], async (ticket) => {
      const [sort, [input, carried]] = await ticket.ready(
        Promise.all([sorter(io.session), io.readers(by, of)]),
      );
      const [sortedKeys, sortedValues] = io.produceAll<K | V>([by, of], ([sorted, sortedValues]) =>
        sort.recordPairs(io.session.recorder, {
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
  },

  segmentedSort<T extends ScalarType>(of: GpuVector<T>, segments: GpuSegments, options?: SortOptions) {
    checkBound(io.session.maxBinding, of);
    const [descriptor, kind] = segmentDescriptorOf(segments);
    const { recorder } = io.session;
    return io.using([of, descriptor], async (ticket) => {
      const [sort, number, [input, within]] = await ticket.ready(
        Promise.all([
          sorter(io.session),
          scanOf(io.session, "u32", add, { segments: kind, countsHeads: true }),
          io.readers(of, descriptor),
        ]),
      );
      return io.produce(of, (sorted) => {
        const { length } = of;
        const segmentNumbers = { buffer: recorder.workspace("segments", length * 4), offset: 0, length };
        number.record(recorder, { segments: within(), output: segmentNumbers });
        const all = { ...request(of, options), keys: input(), sorted, segmentNumbers, segments: length + 1 };
        sort.recordSegmented(recorder, all);
      });
    });
  },

  argsort(of: GpuVector, options) {
    checkBound(io.session.maxBinding, of);
    return io.using([of], async (ticket) => {
      const [sort, input] = await ticket.ready(Promise.all([sorter(io.session), io.reader(of)]));
      return io.produce({ type: "u32", length: of.length, components: 1 }, (order) =>
        sort.recordArgsort(io.session.recorder, { ...request(of, options), keys: input(), order }),
      );
    });
  },

  rank(of: GpuVector, options) {
    checkBound(io.session.maxBinding, of);
    return io.using([of], async (ticket) => {
      const [sort, input] = await ticket.ready(Promise.all([sorter(io.session), io.reader(of)]));
      return io.produce({ type: "u32", length: of.length, components: 1 }, (rank) =>
        sort.recordRank(io.session.recorder, { ...request(of, options), keys: input(), rank }),
      );
    });
  },
});

function sorter(session: Session): Eventual<RadixSort> {
  return session.compiled("sort", async () => {
    const { createRadixSort } = await import("../sort/radix-sort.ts");
    return createRadixSort(session.gpu, await session.strategy());
  });
}

const request = ({ type, length }: GpuVector, { descending, bits }: SortOptions = {}) => ({
  type,
  count: length,
  descending,
  bits,
});
