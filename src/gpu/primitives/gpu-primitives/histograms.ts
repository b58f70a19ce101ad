import type { HistogramsBackend } from "../../../core/primitives/backend.ts";
import { chunkOf } from "./chunks.ts";
import { keyOf } from "./kernels.ts";
import type { GpuVector } from "./vector.ts";
import type { VectorIo } from "./vector-io.ts";

/** Counts of elements by bin. */
export const gpuHistograms = (io: VectorIo): HistogramsBackend => ({
  histogramEven(of: GpuVector, low, high, bins) {
    const { type } = of;
    io.checkBinding("histogramEven", bins);
    return io.using([of], async (ticket) => {
      const chunks = io.chunks([of]);
      const [histogram, inputs] = await ticket.ready(
        Promise.all([
          io.session.compiled(keyOf("histogramEven", type), async () => {
            const { createHistogramEven } = await import("../histogram/histogram.ts");
            return createHistogramEven(io.session.gpu, type);
          }),
          io.readers(...chunks.map((chunk) => chunkOf(of, chunk))),
        ]),
      );
      const { recorder } = io.session;
      return io.produce({ type: "u32", length: bins, components: 1 }, (output) =>
        io.encodeChunks(chunks, (_, k) =>
          histogram.record(recorder, { input: inputs[k](), output, low, high, adds: k > 0 }),
        ),
      );
    });
  },

  async histogramRange(of: GpuVector, edges, bins) {
    const { type } = of;
    const limits = io.upload(type, edges);
    try {
      return await io.using([of, limits], async (ticket) => {
        const chunks = io.chunks([of]);
        const [histogram, from, inputs] = await ticket.ready(
          Promise.all([
            io.session.compiled(keyOf("histogramRange", type), async () => {
              const { createHistogramRange } = await import("../histogram/histogram.ts");
              return createHistogramRange(io.session.gpu, type);
            }),
            io.reader(limits),
            io.readers(...chunks.map((chunk) => chunkOf(of, chunk))),
          ]),
        );
        const { recorder } = io.session;
        return io.produce({ type: "u32", length: bins, components: 1 }, (output) =>
          io.encodeChunks(chunks, (_, k) =>
            histogram.record(recorder, { input: inputs[k](), output, edges: from(), adds: k > 0 }),
          ),
        );
      });
    } finally {
      limits.release();
    }
  },
});
