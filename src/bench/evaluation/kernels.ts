import type { DataSet } from "../../core/field.ts";
import { fieldNamed } from "../../core/field.ts";
import { valueCount, valueDims } from "../../core/grid.ts";
import { unattended } from "../../core/job.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import type { GpuField } from "../../gpu/fields/gpu-field.ts";
import { createGridTables } from "../../gpu/fields/grid-tables.ts";
import { uploadField } from "../../gpu/fields/upload.ts";
import type { Network } from "../../lang/expression/network/network.ts";
import { prepareOnGpu } from "../../lang/expression/strategies/fusion/evaluate.ts";
import { fusion } from "../../lang/expression/strategies/fusion/plan.ts";
import { staged } from "../../lang/expression/strategies/per-filter.ts";
import { timePass } from "../measure.ts";
import { type ReferenceName, readsTables, referencePass } from "../reference/kernels.ts";
import type { Way } from "./measurement.ts";

const strategies: Partial<Record<Way, typeof fusion>> = { fusion, staged };

/** Ways whose kernels can be had alone. */
export const hasKernels = (way: Way): boolean => way === "hand-written" || way in strategies;

/** Milliseconds of a way's kernels, repeated on cell-centred fields u, v and w that stay on the GPU. */
export async function kernelTime(
  gpu: GpuContext,
  network: Network,
  output: string,
  reference: ReferenceName,
  way: Way,
  dataSet: DataSet,
): Promise<number> {
  const { grid } = dataSet;
  const fields = new Map<string, GpuField>();
  const tables = createGridTables(gpu, grid, "cell");
  const scope = gpu.scope();
  try {
    for (const name of ["u", "v", "w"]) {
      const field = fieldNamed(dataSet, name);
      if (field) fields.set(name, await uploadField(gpu, grid, field, unattended, [0]));
    }
    const strategy = strategies[way];
    if (strategy) {
      const inputs = {
        grid,
        field: async (name: string) => fields.get(name) as GpuField,
        tables: () => tables,
      };
      const prepared = await prepareOnGpu(gpu, network, inputs, [output], { strategy });
      try {
        return await timePass(gpu, (pass) => prepared.record(pass));
      } finally {
        prepared.release();
      }
    }
    const bind = await referencePass(gpu, reference, "arrays", valueDims(grid, "cell"));
    const result = scope.allocate(
      "the reference's result",
      valueCount(grid, "cell") * 4,
      GPUBufferUsage.STORAGE,
    );
    const velocity = [...fields.values()].map(({ buffer }) => buffer);
    const read = readsTables(reference) ? tables.buffer : undefined;
    return await timePass(gpu, bind({ velocity, tables: read, result }));
  } finally {
    scope.release();
    tables.buffer.release();
    for (const { buffer } of fields.values()) buffer.release();
  }
}
