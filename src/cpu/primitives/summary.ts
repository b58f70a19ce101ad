import { binOf, type EvenBins } from "../../core/primitives/histogram.ts";
import type { HostArray } from "../../core/primitives/vector.ts";
import { newWords } from "./vector.ts";

/** The least and the greatest element, −0 less than +0; NaN passed over, and given where there is nothing else. */
export function extremes(words: HostArray): readonly [min: number, max: number] {
  let [least, greatest] = [Number.NaN, Number.NaN];
  for (let i = 0; i < words.length; i++) {
    const x = words[i];
    if (Number.isNaN(x)) continue;
    least = Number.isNaN(least) ? x : Math.min(least, x);
    greatest = Number.isNaN(greatest) ? x : Math.max(greatest, x);
  }
  return [least, greatest];
}

export function countWhere(words: HostArray, isCounted: (x: number) => boolean): number {
  let count = 0;
  for (let i = 0; i < words.length; i++) if (isCounted(words[i])) count++;
  return count;
}

/** Elements of each even bin. */
export function evenCounts(words: HostArray, bins: EvenBins): Uint32Array {
  const counts = newWords("u32", bins.bins);
  for (let i = 0; i < words.length; i++) {
    const bin = binOf(bins, words[i]);
    if (bin >= 0) counts[bin]++;
  }
  return counts;
}

/** Elements in [edges[k], edges[k + 1]) for ascending edges; `bins` may be more than the edges reach. */
export function rangeCounts(words: HostArray, edges: HostArray, bins: number): Uint32Array {
  const counts = newWords("u32", bins);
  for (let i = 0; i < words.length; i++) {
    const x = words[i];
    if (Number.isNaN(x)) continue;
    let [low, high] = [0, edges.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (edges[middle] <= x) low = middle + 1;
      else high = middle;
    }
    if (low > 0 && low <= bins) counts[low - 1]++;
  }
  return counts;
}
