import type { TypedArray } from "./dtype.ts";

/** How many values lie between neighbouring edges: from `edges[k]` on and below `edges[k + 1]`; the last part is closed. */
export interface Histogram {
  /** One more than there are counts, increasing. */
  readonly edges: readonly number[];
  readonly counts: readonly number[];
}

/** Bins at most: a GPU counts them in workgroup memory. */
export const maxBins = 1024;

/** The edges of `bins` equal parts of a range. */
export function binEdges([low, high]: readonly [number, number], bins: number): number[] {
  const step = (high - low) / bins;
  return Array.from({ length: bins + 1 }, (_, k) => (k === bins ? high : low + k * step));
}

/**
 * How many values (magnitudes where there are several interleaved components) lie in each of `bins` equal parts of
 * the closed range. A value on an inner border counts upwards; values outside, NaN and ∞ are left out.
 */
export function countsIn(
  data: TypedArray,
  components: number,
  range: readonly [number, number],
  bins: number,
): Uint32Array<ArrayBuffer> {
  const [min, max] = range;
  const edges = Float64Array.from(binEdges(range, bins));
  const counts = new Uint32Array(bins);
  const scale = max > min ? bins / (max - min) : 0;
  for (let at = 0; at + components <= data.length; at += components) {
    let value = Number(data[at]);
    if (components > 1) {
      let squares = 0;
      for (let c = 0; c < components; c++) squares += Number(data[at + c]) ** 2;
      value = Math.sqrt(squares);
    }
    if (!(value >= min && value <= max)) continue;
    // The product may round across an edge; the edges decide.
    let bin = Math.min(bins - 1, Math.floor((value - min) * scale));
    while (bin > 0 && value < edges[bin]) bin--;
    while (bin < bins - 1 && scale > 0 && value >= edges[bin + 1]) bin++;
    counts[bin]++;
  }
  return counts;
}

/** Shannon's entropy of a histogram in bits: −Σ pₖ log₂ pₖ, pₖ being the share of part k; NaN where nothing was counted. */
export function entropyOf(counts: ArrayLike<number>): number {
  let total = 0;
  for (let k = 0; k < counts.length; k++) total += counts[k];
  let bits = 0;
  for (let k = 0; k < counts.length; k++) {
    const share = counts[k] / total;
    if (share > 0) bits -= share * Math.log2(share);
  }
  return total === 0 ? Number.NaN : bits + 0;
}
