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
