import type { HistogramsBackend } from "../core/primitives/backend.ts";
import type { HostArray, ScalarType, Vector } from "../core/primitives/vector.ts";
import { evenOffsets, lengthsOf } from "./offsets.ts";
import type { Ranks, Step } from "./step.ts";
import { madeAlone, type RankVector } from "./vector.ts";

/** The first number beyond the type's. */
const beyond: Readonly<Record<ScalarType, number>> = { u32: 2 ** 32, i32: 2 ** 31, f32: Number.NaN };

/** Counts of elements by bin: each rank's own, summed by the ranks that keep them. */
export const distributedHistograms = (ranks: Ranks): HistogramsBackend => ({
  histogramEven: (vector: RankVector, low, high, bins) =>
    ranks.run(async (step) => {
      const part = await vector.part(step);
      return summed(step, bins, () => step.local.histogramEven(part, low, high, bins));
    }),

  histogramRange: (vector: RankVector, edges, bins) =>
    ranks.run(async (step) => {
      const part = await vector.part(step);
      const { numbers, binOf } = distinctEdges(vector.type, edges, bins);
      if (numbers.length < 2) return summed(step, bins, () => step.local.fill("u32", 0, 0));
      return summed(step, bins, () => step.local.histogramRange(part, numbers), binOf);
    }),
});

/** Edges that increase, as numbers, and the bin that each of them begins: bins between equal edges are empty. */
function distinctEdges(type: ScalarType, edges: HostArray, bins: number) {
  const [numbers, binOf]: [number[], number[]] = [[], []];
  for (const [k, edge] of Array.from(edges).entries()) {
    if (numbers.at(-1) === edge) binOf[binOf.length - 1] = k;
    else {
      numbers.push(edge);
      binOf.push(k);
    }
  }
  if (edges.length > 0 && edges.length <= bins) numbers.push(beyond[type]);
  return { numbers, binOf };
}

/** The sums of what ranks counted, in even parts; count k is that of bin `binOf[k]`. */
export async function summed(
  step: Step,
  bins: number,
  count: () => Promise<Vector<"u32">>,
  binOf?: readonly number[],
): Promise<RankVector<"u32">> {
  const { local, size, exchange } = step;
  const offsets = evenOffsets(bins, size);
  const words = await exchange.sumScatter(async () => {
    const counts = await count();
    const counted = await local.toHost(counts);
    counts.release();
    const all = new Uint32Array(bins);
    for (let k = 0; k < counted.length; k++) all[binOf?.[k] ?? k] = counted[k];
    return all;
  }, lengthsOf(offsets));
  return madeAlone(step, { type: "u32", components: 1 }, offsets, () => local.fromHost("u32", words));
}
