import type { CompactionBackend } from "../../../core/primitives/backend.ts";
import type { Predicate } from "../../../core/primitives/functions.ts";
import type { ScalarType } from "../../../core/primitives/vector.ts";
import type { CompactKernel } from "../compact/options.ts";
import { type Chunk, windowOf } from "./chunks.ts";
import { keyOf } from "./kernels.ts";
import { type GpuSegments, segmentDescriptorOf } from "./scans.ts";
import type { GpuVector } from "./vector.ts";
import { memoryOf, type VectorIo } from "./vector-io.ts";

type GpuSelection = { readonly where: Predicate } | { readonly stencil: GpuVector<"u32"> };

/** What moves elements by selection and by segment. */
export const gpuCompaction = (io: VectorIo): CompactionBackend => ({
  async compact<T extends ScalarType>(
    vector: GpuVector<T>,
    selection: GpuSelection,
    keeps: "selected" | "rejected",
  ) {
    const { moved, selected } = await compacted(io, vector, selection, keeps);
    return io.shortened(moved, selected);
  },

  async partition<T extends ScalarType>(vector: GpuVector<T>, selection: GpuSelection) {
    const { moved, selected } = await compacted(io, vector, selection, "both");
    return { vector: moved, selected };
  },

  segmentedSplit<T extends ScalarType>(of: GpuVector<T>, flagged: GpuVector<"u32">, segments: GpuSegments) {
    const what = "segmentedSplit";
    const [descriptor, kind] = segmentDescriptorOf(segments);
    const { session } = io;
    const kernel = { words: of.components, segments: kind };
    return io.using([of, flagged, descriptor], async (ticket) => {
      const [split, [input, by, within]] = await ticket.ready(
        Promise.all([
          session.compiled(keyOf(what, kernel), async () => {
            const { createSegmentedSplit } = await import("../compact/segmented-split.ts");
            return createSegmentedSplit(session.gpu, kernel, await session.strategy());
          }),
          io.readers(of, flagged, descriptor),
        ]),
      );
      return io.produce(of, (output) =>
        split.record(session.recorder, { input: input(), flags: by(), segments: within(), output }),
      );
    });
  },
});

/** What each chunk kept at its beginning, and all that it has after that where `both` are wanted; takes the vector. */
function joined<T extends ScalarType>(
  io: VectorIo,
  vector: GpuVector<T>,
  chunks: readonly Chunk[],
  totals: Uint32Array,
  both: boolean,
): GpuVector<T> {
  const { type, components } = vector;
  const kept = chunks.map(({ from }, k): Part => ({ from, length: totals[k] }));
  const left = chunks.map(({ from, to }, k): Part => {
    const rest = from + totals[k];
    return { from: rest, length: to - rest };
  });
  const parts = both ? [...kept, ...left] : kept;
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  try {
    return io.produce({ type, components, length }, (output) => {
      let place = 0;
      for (const part of parts) {
        const to = place + part.length;
        const from = { from: part.from, to: part.from + part.length };
        const [source, target] = [
          windowOf(memoryOf(vector), from, components),
          windowOf(output, { from: place, to }, components),
        ];
        io.copyWords(source, target, components);
        place = to;
      }
    });
  } finally {
    vector.release();
  }
}

function compacted<T extends ScalarType>(
  io: VectorIo,
  of: GpuVector<T>,
  selection: GpuSelection,
  keeps: CompactKernel["keeps"],
) {
  const { type, components } = of;
  const { session } = io;
  const selected = "where" in selection ? selection : "stencil";
  const kernel: CompactKernel = { type, words: components, selection: selected, keeps };
  const key =
    "where" in selection
      ? keyOf("compact", type, selection.where.text, keeps)
      : keyOf("compact", components, keeps);
  const inputs = "stencil" in selection ? [of, selection.stencil] : [of];
  return io.using(inputs, async (ticket) => {
    const chunks = io.chunks(inputs, components);
    const [compact, read] = await ticket.ready(
      Promise.all([
        session.compiled(key, async () => {
          const { createCompact } = await import("../compact/compact.ts");
          return createCompact(session.gpu, kernel, await session.strategy());
        }),
        io.chunkReaders(chunks, inputs),
      ]),
    );
    const { vectors, totals } = await ticket.recorded(
      io.produceChunks([of], chunks.length, ([output], kept) =>
        io.encodeChunks(chunks, (chunk, k) => {
          const [input, stencil] = read[k].map((reader) => reader());
          compact.record(session.recorder, {
            input,
            stencil,
            output: windowOf(output, chunk, components),
            kept: { ...kept, offset: k, length: 1 },
          });
        }),
      ),
    );
    const selected = totals.reduce((sum, total) => sum + total, 0);
    if (chunks.length === 1) return { moved: vectors[0], selected };
    return { moved: joined(io, vectors[0], chunks, totals, keeps === "both"), selected };
  });
}

/** Parts that follow each other: where they are, and how many elements each has. */
interface Part {
  readonly from: number;
  readonly length: number;
}
