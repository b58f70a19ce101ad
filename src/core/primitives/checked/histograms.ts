import type { HistogramsBackend, VectorOwner } from "../backend.ts";
import { edgesOf, evenBins } from "../histogram.ts";
import type { Primitives } from "../primitives.ts";
import { checkHeldScalar, checkRoom } from "./operands.ts";

type Histograms = Pick<Primitives, "histogramEven" | "histogramRange">;

/** Counts of elements by bin. */
export const checkedHistograms = (backend: VectorOwner & HistogramsBackend): Histograms => ({
  async histogramEven(vector, low, high, bins) {
    const what = "histogramEven";
    checkHeldScalar(backend, what, "vector", vector);
    evenBins(vector.type, low, high, bins);
    checkRoom(backend, what, bins);
    return backend.histogramEven(vector, low, high, bins);
  },

  async histogramRange(vector, edges) {
    checkHeldScalar(backend, "histogramRange", "vector", vector);
    return backend.histogramRange(vector, edgesOf(vector.type, edges), edges.length - 1);
  },
});
