import type { MovementBackend } from "../../../core/primitives/backend.ts";
import type { ScalarType } from "../../../core/primitives/vector.ts";
import type { Ticket } from "./call-sequencer.ts";
import { windowOf } from "./chunks.ts";
import { keyOf } from "./kernels.ts";
import { gatherOf } from "./sources.ts";
import { blocksOf, type GpuVector } from "./vector.ts";
import { memoryOf, type VectorIo } from "./vector-io.ts";

/** What moves elements through maps. */
export const gpuDataMovement = (io: VectorIo): MovementBackend => ({
  isWritable: ({ content }: GpuVector) => content.kind === "memory",

  readsMemoryOf: (vector: GpuVector, { content }: GpuVector) =>
    content.kind === "memory" && blocksOf(vector).includes(content.block),

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
