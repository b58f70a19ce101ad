import { fieldNamed } from "../../core/field.ts";
import type { JobContext } from "../../core/job.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import { evaluateOnCpu } from "../../lang/expression/execute/cpu/evaluate.ts";
import type { CpuWorkers } from "../../lang/expression/execute/cpu/workers.ts";
import type { Network } from "../../lang/expression/network/network.ts";
import type { FieldValue } from "../derived.ts";
import type { LoadedData } from "../loaded-data.ts";
import { evaluateByStrategy, type FieldStore } from "./evaluation.ts";

/** Evaluates fields of a network over what is loaded alone, whatever has been derived from it. Throws what evaluation throws. */
export async function evaluateLoaded(
  data: LoadedData,
  gpu: GpuContext | undefined,
  network: Network,
  outputs: readonly string[],
  job: JobContext,
  workers: CpuWorkers | undefined,
): Promise<ReadonlyMap<string, FieldValue>> {
  if (gpu) {
    return (await evaluateByStrategy(loadedFields(data), gpu, network, outputs, { strategy: "auto" }, job))
      .values;
  }
  const { fields } = await evaluateOnCpu(network, data.dataSet, outputs, job, workers);
  return new Map([...fields].map(([name, field]) => [name, { kind: "host", field }]));
}

function loadedFields(data: LoadedData): FieldStore {
  const found = (name: string) => {
    const field = fieldNamed(data.dataSet, name);
    if (!field) throw new Error(`No field “${name}” is loaded.`);
    return field;
  };
  return {
    data,
    signatures: () => data.dataSet.fields,
    isOnGpu: (name) => data.hasSent(name),
    gpuField: (gpu, name, job) => data.gpuField(gpu, found(name), job),
    hostField: async (name) => found(name),
  };
}
