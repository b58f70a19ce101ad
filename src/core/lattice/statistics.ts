/** Means over a Markov chain, with errors that allow for its autocorrelation. */
import type { LatticeModel, Numbers } from "./model.ts";

export interface Measured {
  readonly mean: number;
  /** One standard error; undefined of runs that are too short for one. */
  readonly error: number | undefined;
}

/** Bins at least, so that the error's own error is below an eighth. */
const fewestBins = 32;

/** Means of values in bins of `length`; what is left over at the beginning is left out. */
function binned(values: Float64Array, length: number): Float64Array {
  const count = Math.floor(values.length / length);
  const first = values.length - count * length;
  return Float64Array.from({ length: count }, (_, b) => {
    let sum = 0;
    for (let i = first + b * length; i < first + (b + 1) * length; i++) sum += values[i];
    return sum / length;
  });
}

const meanOf = (values: Float64Array): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

function errorOf(values: Float64Array): number {
  const mean = meanOf(values);
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return Math.sqrt(squares / (values.length * (values.length - 1)));
}

/**
 * The length of bins beyond which the mean's error no longer grows by more than its own error, so that bins are independent (Flyvbjerg
 * and Petersen, J. Chem. Phys. 91, 461, 1989): a power of two, so long that there are at least 32 bins.
 */
export function binLength(values: Float64Array): number {
  let length = 1;
  let error = errorOf(values);
  for (let next = 2; values.length / next >= fewestBins; next *= 2) {
    const bins = binned(values, next);
    const grown = errorOf(bins);
    if (grown > error * (1 + 1 / Math.sqrt(2 * (bins.length - 1)))) [length, error] = [next, grown];
  }
  return length;
}

/** The mean of successive values, with the error of its bins. */
export function measuredMean(values: Float64Array): Measured {
  const bins = binned(values, binLength(values));
  return { mean: meanOf(values), error: bins.length < fewestBins ? undefined : errorOf(bins) };
}

/** A model's measures from the quantities of the sweeps, with errors by leaving out one bin after the other (jackknife). */
export function measuresOf(
  { observables, measures }: LatticeModel,
  series: readonly Numbers[],
  run: { readonly sites: number; readonly parameters: Numbers },
): Record<string, Measured> {
  const values = Object.entries(observables).map(
    ([name, of]) => [name, Float64Array.from(series, of)] as const,
  );
  const means = Object.fromEntries(values.map(([name, of]) => [name, meanOf(of)]));
  const length = Math.max(...values.map(([, of]) => binLength(of)));
  const bins = values.map(([name, of]) => [name, binned(of, length)] as const);
  const count = Math.floor(series.length / length);
  const wholes = bins.map(([name, of]) => [name, meanOf(of)] as const);
  const without = Array.from({ length: count }, (_, b) =>
    Object.fromEntries(wholes.map(([name, mean], k) => [name, (count * mean - bins[k][1][b]) / (count - 1)])),
  );
  return Object.fromEntries(
    Object.entries(measures).map(([name, { of }]) => {
      const estimates = Float64Array.from(without, (part) => of(part, run));
      const error = count < fewestBins ? undefined : (count - 1) * errorOf(estimates);
      return [name, { mean: of(means, run), error }];
    }),
  );
}
