import type { HistogramsBackend } from "../../core/primitives/backend.ts";
import { evenBins } from "../../core/primitives/histogram.ts";
import { evenCounts, rangeCounts } from "./summary.ts";
import type { CpuVector, NewVector } from "./vector.ts";

/** Counts of elements by bin. */
export const cpuHistograms = (newVector: NewVector): HistogramsBackend => ({
  histogramEven: (vector: CpuVector, low, high, bins) =>
    newVector("u32", evenCounts(vector.words(), evenBins(vector.type, low, high, bins))),
  histogramRange: (vector: CpuVector, edges, bins) =>
    newVector("u32", rangeCounts(vector.words(), edges, bins)),
});
