import type { Field } from "../core/field.ts";
import type { Histogram } from "../core/histogram.ts";
import type { Quantity } from "../core/quantity.ts";
import { type RunCost, zeroCost } from "../core/run-cost.ts";
import type { GpuContext } from "../gpu/device/context.ts";
import type { Derived, DeriveReport, HostField, StrategyName } from "./api.ts";

export const cpuReport = (threads: number, ms: number): DeriveReport => ({
  device: "cpu",
  description: "CPU",
  threads,
  strategy: undefined,
  reason: undefined,
  ...zeroCost,
  ms,
});

export function gpuReport(
  { adapter }: GpuContext,
  strategy: StrategyName,
  reason: string | undefined,
  { uploads, downloads, kernels, uploadedBytes, downloadedBytes, peakBytes }: RunCost,
  ms: number,
): DeriveReport {
  const cost = { uploads, downloads, kernels, uploadedBytes, downloadedBytes, peakBytes };
  return { device: "gpu", description: adapter.description, threads: 0, strategy, reason, ...cost, ms };
}

/** The fields of these names as their caller gets them, in this order. */
export function hostFields(
  names: readonly string[],
  fields: ReadonlyMap<string, Field>,
): Readonly<Record<string, HostField>> {
  return pick(names, fields, ({ data, components, centering }) => ({
    data: data as HostField["data"],
    components,
    centering,
  }));
}

/** The quantities of these names, each kind in a record of its own. */
export function quantityRecords(
  names: readonly string[],
  quantities: ReadonlyMap<string, Quantity>,
): Pick<Derived<never>, "numbers" | "vectors" | "histograms"> {
  const numbers = new Map<string, number>();
  const vectors = new Map<string, readonly number[]>();
  const histograms = new Map<string, Histogram>();
  for (const [name, quantity] of quantities) {
    if (quantity.kind === "histogram") histograms.set(name, quantity.histogram);
    else if (quantity.components.length === 1) numbers.set(name, quantity.components[0]);
    else vectors.set(name, quantity.components);
  }
  const itself = <T>(value: T): T => value;
  return {
    numbers: pick(names, numbers, itself),
    vectors: pick(names, vectors, itself),
    histograms: pick(names, histograms, itself),
  };
}

/** What there is of these names. */
export function pick<V, W>(
  names: readonly string[],
  values: ReadonlyMap<string, V>,
  change: (value: V) => W,
): Readonly<Record<string, W>> {
  return Object.fromEntries(
    names.flatMap((name) => (values.has(name) ? [[name, change(values.get(name) as V)] as const] : [])),
  );
}
