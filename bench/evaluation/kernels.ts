import { timePass } from "../../src/bench/measure.ts";
import { readsTables, referencePass } from "../../src/bench/reference/kernels.ts";
import { fieldNamed } from "../../src/core/field.ts";
import { valueCount, valueDims } from "../../src/core/grid.ts";
import { noJob } from "../../src/core/job.ts";
import type { GpuContext } from "../../src/gpu/device/context.ts";
import type { GpuField } from "../../src/gpu/fields/gpu-field.ts";
import { createGridTables } from "../../src/gpu/fields/grid-tables.ts";
import { uploadField } from "../../src/gpu/fields/upload.ts";
import { compile } from "../../src/lang/expression/compile.ts";
import { prepareOnGpu } from "../../src/lang/expression/execute/gpu/evaluate.ts";
import { expressions } from "./expressions.ts";
import { vortices } from "./vortices.ts";

/** The kernels of one expression alone. */
export interface KernelMeasurement {
  readonly expression: string;
  readonly cells: number;
  /** Milliseconds of the kernels of each way. */
  readonly fusion: number;
  readonly handWritten: number;
  readonly staged: number;
}

/** Milliseconds of a kernel after which a GPU runs at its full clock. */
const warmingMs = 500;

/**
 * Times kernels over fields u, v and w of edge × edge × n cells that stay on the GPU, each repeated, on a GPU that is
 * warm: beside transfers it idles at a lower clock.
 */
export async function* evaluateKernels(
  gpu: GpuContext,
  edge: number,
  planes: readonly number[],
  known: readonly KernelMeasurement[],
): AsyncGenerator<KernelMeasurement, void, void> {
  for (const depth of planes) {
    const cells = edge * edge * depth;
    const expected = expressions.filter(
      ({ name }) => !known.some((one) => one.expression === name && one.cells === cells),
    );
    if (expected.length === 0) continue;
    const dataSet = vortices([edge, edge, depth]);
    const { grid } = dataSet;
    const fields = new Map<string, GpuField>();
    const tables = createGridTables(gpu, grid, "cell");
    const scope = gpu.scope();
    try {
      for (const name of ["u", "v", "w"]) {
        const field = fieldNamed(dataSet, name);
        if (field) fields.set(name, await uploadField(gpu, grid, field, noJob, [0]));
      }
      const velocity = [...fields.values()].map(({ buffer }) => buffer);
      const inputs = {
        grid,
        field: async (name: string) => fields.get(name) as GpuField,
        tables: () => tables,
      };
      const result = scope.allocate(
        "a reference's result",
        valueCount(grid, "cell") * 4,
        GPUBufferUsage.STORAGE,
      );
      for (const { name: expression, text, reference } of expected) {
        const network = compile(text, dataSet.fields);
        const output = network.outputs[network.outputs.length - 1].name;
        const time = async (strategy: "fusion" | "staged") => {
          const prepared = await prepareOnGpu(gpu, network, inputs, [output], { strategy });
          try {
            return await timePass(gpu, prepared.record);
          } finally {
            prepared.release();
          }
        };
        const bind = await referencePass(gpu, reference, "arrays", valueDims(grid, "cell"));
        const read = readsTables(reference) ? tables.buffer : undefined;
        const record = bind({ velocity, tables: read, result });
        const start = performance.now();
        do await timePass(gpu, record);
        while (performance.now() - start < warmingMs);
        yield {
          expression,
          cells,
          fusion: await time("fusion"),
          handWritten: await timePass(gpu, record),
          staged: await time("staged"),
        };
      }
    } finally {
      scope.release();
      tables.buffer.release();
      for (const { buffer } of fields.values()) buffer.release();
    }
  }
}
