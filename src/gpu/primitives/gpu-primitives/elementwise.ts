import type { ElementwiseBackend } from "../../../core/primitives/backend.ts";
import type { NaryFunction, UnaryFunction } from "../../../core/primitives/functions.ts";
import type { ScalarType } from "../../../core/primitives/vector.ts";
import { chunkOf, windowOf } from "./chunks.ts";
import { asNary } from "./kernels.ts";
import { zipOf } from "./sources.ts";
import { type GpuVector, viewOf } from "./vector.ts";
import type { VectorIo } from "./vector-io.ts";

const itself: UnaryFunction = { name: "copy", text: "x" };

/** What is made an element at a time. */
export const gpuElementwise = (io: VectorIo): ElementwiseBackend => ({
  copy<T extends ScalarType>(vector: GpuVector<T>) {
    const { content, type, components } = vector;
    if (content.kind !== "memory" && components === 1) return zipped(io, [vector], asNary(itself), type);
    return io.using([vector], async (ticket) => {
      if (content.kind === "memory") {
        await ticket.ready(Promise.resolve());
        return io.produce(vector, (output) => io.copyWords(viewOf(vector, content), output, components));
      }
      const chunks = io.chunks([vector]);
      const inputs = await ticket.ready(io.readers(...chunks.map((chunk) => chunkOf(vector, chunk))));
      return io.produce(vector, (output) =>
        io.encodeChunks(chunks, (chunk, k) =>
          io.copyWords(inputs[k](), windowOf(output, chunk, components), components),
        ),
      );
    });
  },

  transform: (vector: GpuVector, f, type) => zipped(io, [vector], asNary(f), type),
  zip: (vectors: readonly GpuVector[], f, type) => zipped(io, vectors, f, type),
});

function zipped<T extends ScalarType>(
  io: VectorIo,
  vectors: readonly GpuVector[],
  f: NaryFunction,
  type: T,
): Promise<GpuVector<T>> {
  return io.using(vectors, async (ticket) => {
    const chunks = io.chunks(vectors);
    const writes = await ticket.ready(
      Promise.all(
        chunks.map((chunk) => {
          const parts = vectors.map((vector) => chunkOf(vector, chunk));
          return zipOf(io.session, parts, f, type);
        }),
      ),
    );
    return io.produce({ type, length: vectors[0].length, components: 1 }, (output) =>
      io.encodeChunks(chunks, (chunk, k) => writes[k](windowOf(output, chunk))),
    );
  });
}
