import type { MovementBackend } from "../../../core/primitives/backend.ts";
import type { Predicate } from "../../../core/primitives/functions.ts";
import type { ScalarType } from "../../../core/primitives/vector.ts";
import type { CompactKernel } from "../compact/options.ts";
import type { Ticket } from "./call-sequencer.ts";
import { type Chunk, windowOf } from "./chunks.ts";
import { keyOf } from "./kernels.ts";
import { type GpuSegments, segmentDescriptorOf } from "./scans.ts";
import { gatherOf } from "./sources.ts";
import { blocksOf, type GpuVector } from "./vector.ts";
import { memoryOf, type VectorIo } from "./vector-io.ts";

type GpuSelection = { readonly where: Predicate } | { readonly stencil: GpuVector<"u32"> };

/** What moves elements: by selection, by segment, through maps. */
export const gpuDataMovement = (io: VectorIo): MovementBackend => ({
  isWritable: ({ content }: GpuVector) => content.kind === "memory",

  readsMemoryOf: (vector: GpuVector, { content }: GpuVector) =>
    content.kind === "memory" && blocksOf(vector).includes(content.block),

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

  gather<T extends ScalarType>(map: GpuVector<"u32">, source: GpuVector<T>, isChecked: boolean) {
    const maps = isChecked ? [{ what: "gather", map, length: source.length }] : [];
    return io.using([source, map], (ticket) => gathered(io, ticket, source, map), maps);
  },

  gatherIf<T extends ScalarType>(
    map: GpuVector<"u32">,
    stencil: GpuVector<"u32">,
    source: GpuVector<T>,
    fallback: GpuVector<T>,
    isChecked: boolean,
  ) {
    const maps = isChecked ? [{ what: "gatherIf", map, length: source.length, stencil }] : [];
    return io.using(
      [source, fallback, map, stencil],
      (ticket) => gathered(io, ticket, source, map, [stencil, fallback]),
      maps,
    );
  },

  scatter<T extends ScalarType>(
    source: GpuVector<T>,
    map: GpuVector<"u32">,
    to: GpuVector<T>,
    isChecked: boolean,
    chosen?: GpuVector<"u32">,
  ) {
    const what = chosen ? "scatterIf" : "scatter";
    const maps = isChecked ? [{ what, map, length: to.length, stencil: chosen }] : [];
    const inputs = chosen ? [source, map, chosen] : [source, map];
    const { session } = io;
    const scattered = async (ticket: Ticket) => {
      const { components } = to;
      const [chunks, parts] = [io.chunks(inputs), io.chunks([to])];
      const [hasStencil, isPart] = [chosen !== undefined, parts.length > 1];
      const [scatter, read] = await ticket.ready(
        Promise.all([
          session.compiled(keyOf("scatter", components, hasStencil, isPart), async () => {
            const { createScatter } = await import("../gather/gather.ts");
            return createScatter(session.gpu, components, hasStencil, isPart);
          }),
          io.chunkReaders(chunks, inputs),
        ]),
      );
      session.record(
        () =>
          io.encodeChunks(chunks, (_, k) => {
            const [source, map, stencil] = read[k].map((input) => input());
            for (const part of parts) {
              const target = windowOf(memoryOf(to), part, components);
              scatter.record(session.recorder, { source, map, stencil, target, first: part.from });
            }
          }),
        blocksOf(to),
      );
    };
    return io.using([to, ...inputs], scattered, maps);
  },
});

async function gathered<T extends ScalarType>(
  io: VectorIo,
  ticket: Ticket,
  of: GpuVector<T>,
  through: GpuVector<"u32">,
  others: readonly GpuVector[] = [],
): Promise<GpuVector<T>> {
  const { type, components } = of;
  const chunks = io.chunks([through, ...others], components);
  const [gather, inputs] = await ticket.ready(
    Promise.all([gatherOf(io.session, of, others.length > 0), io.chunkReaders(chunks, [through, ...others])]),
  );
  const shape = { type, components, length: through.length };
  return io.produce(shape, (output) =>
    gather(
      chunks.map((chunk, k) => () => {
        const [map, stencil, fallback] = inputs[k].map((input) => input());
        return { map, stencil, fallback, output: windowOf(output, chunk, components) };
      }),
    ),
  );
}

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
