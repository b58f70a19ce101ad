import type { Field } from "../core/field.ts";
import type { GpuContext } from "../gpu/device/context.ts";
import { nothingMoved, type RunCost } from "../lang/expression/strategies/run/report.ts";
import type { DeriveReport, HostField, StrategyName } from "./api.ts";

export const cpuReport = (ms: number): DeriveReport => ({
  device: "cpu",
  description: "CPU",
  strategy: undefined,
  reason: undefined,
  ...nothingMoved,
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
  return { device: "gpu", description: adapter.description, strategy, reason, ...cost, ms };
}

/** The fields as their caller gets them, in the order of the names. */
export function hostFields(
  names: readonly string[],
  fields: ReadonlyMap<string, Field>,
): Readonly<Record<string, HostField>> {
  return Object.fromEntries(
    names.map((name) => {
      const { data, components, centering } = fields.get(name) as Field;
      return [name, { data: data as Float32Array, components, centering }];
    }),
  );
}
