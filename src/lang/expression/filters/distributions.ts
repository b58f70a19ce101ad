import { formatCount } from "../../../core/format.ts";
import { binEdges, entropyOf, maxBins } from "../../../core/histogram.ts";
import type { CompositeFilter, Filter, ReductionFilter, ScalarValues } from "./filter.ts";

const group = "Reductions";

/** Bins where their number is left out. */
const usualBins = 256;

const quantile: ReductionFilter = {
  kind: "reduction",
  name: "quantile",
  doc: {
    signature: "quantile(f, p)",
    summary:
      "The number below which the fraction p (0 to 1) of all finite values lies, interpolated linearly between the two nearest ranks: a tenth of the values exceeds quantile(f, 0.9).",
    formula: "s[i] + (r - i) * (s[i+1] - s[i]), s sorted, r = p * (n - 1), i = floor(r)",
    example: "if p > quantile(p, 0.9) then p else 0",
    group,
  },
  overloads: [{ inputs: ["scalar", "scalar"], output: "scalar" }],
  keepsNumbers: true,
  fault: ([p]) => (p >= 0 && p <= 1 ? undefined : `needs a share p from 0 to 1, but was given ${p}`),
  reduce: async (values, [p]) => ({ kind: "number", components: [await values.quantile(p)] }),
};

const median: CompositeFilter = {
  kind: "composite",
  name: "median",
  doc: {
    signature: "median(f)",
    summary:
      "The median of all finite values of a field, or the mean of the middle two: one number. The median around each value is median_filter(f).",
    formula: "quantile(f, 0.5)",
    example: "p - median(p)",
    group,
  },
  overloads: [
    {
      inputs: ["scalar"],
      output: "scalar",
      expand: (network, [f], span) => network.apply("quantile", [f, network.constant([0.5])], span),
    },
  ],
};

function faultOfBins(bins: number = usualBins): string | undefined {
  if (Number.isInteger(bins) && bins >= 1 && bins <= maxBins) return undefined;
  return `needs a whole number of bins from 1 to ${formatCount(maxBins)}, but was given ${bins}`;
}

/** From the least value to the greatest; half a unit to either side of a single one, 0 to 1 where nothing is finite. */
async function rangeOf(values: ScalarValues): Promise<readonly [number, number]> {
  const { min, max } = await values.statistics();
  if (Number.isNaN(min)) return [0, 1];
  return min < max ? [min, max] : [min - 0.5, max + 0.5];
}

const histogram: ReductionFilter = {
  kind: "reduction",
  name: "histogram",
  doc: {
    signature: "histogram(f, bins, low, high)",
    summary: `Number of finite values in each of \`bins\` equal parts (default ${usualBins}, at most ${formatCount(maxBins)}) of the range from low to high, by default the range of the values. A value on an edge counts in the bin above it, one on the last edge in the last bin. The result is a table: give it a statement of its own.`,
    example: "h = histogram(p, 64)",
    group,
  },
  overloads: [
    { inputs: ["scalar"], output: "histogram" },
    { inputs: ["scalar", "scalar"], output: "histogram" },
    { inputs: ["scalar", "scalar", "scalar", "scalar"], output: "histogram" },
  ],
  fault([bins, low, high]) {
    if (low === undefined) return faultOfBins(bins);
    const isRange = Number.isFinite(low) && Number.isFinite(high) && low < high;
    if (isRange) return faultOfBins(bins);
    return `needs a range of two numbers, the lower one first, but was given ${low} and ${high}`;
  },
  async reduce(values, [bins = usualBins, low, high]) {
    const range = low === undefined ? await rangeOf(values) : ([low, high] as const);
    const counts = Array.from(await values.counts(range, bins));
    return { kind: "histogram", histogram: { edges: binEdges(range, bins), counts } };
  },
};

const entropy: ReductionFilter = {
  kind: "reduction",
  name: "entropy",
  doc: {
    signature: "entropy(f, bins)",
    summary: `Shannon's entropy of a field in bits: how evenly its finite values fill the bins of histogram(f, bins) (default ${usualBins}). It is 0 if all values are in one bin, and log2(bins) if all bins hold equally many.`,
    formula: "-Σ pₖ log2 pₖ, pₖ = counts[k] / n",
    example: "entropy(p, 64)",
    group,
  },
  overloads: [
    { inputs: ["scalar"], output: "scalar" },
    { inputs: ["scalar", "scalar"], output: "scalar" },
  ],
  fault: ([bins]) => faultOfBins(bins),
  async reduce(values, [bins = usualBins]) {
    const counts = await values.counts(await rangeOf(values), bins);
    return { kind: "number", components: [entropyOf(counts)] };
  },
};

/** How the values of a field are spread, whatever their places. */
export const distributions: readonly Filter[] = [quantile, median, histogram, entropy];
