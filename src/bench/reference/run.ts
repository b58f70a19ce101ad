import { type DataSet, fieldNamed } from "../../core/field.ts";
import { valueCount, valueDims } from "../../core/grid.ts";
import { noJob } from "../../core/job.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import type { PooledBuffer } from "../../gpu/device/pool.ts";
import { readUnchangingF32 } from "../../gpu/device/transfer.ts";
import { createGridTables } from "../../gpu/fields/grid-tables.ts";
import { uploadField } from "../../gpu/fields/upload.ts";
import { type ReferenceName, readsTables, referencePass } from "./kernels.ts";

export interface ReferenceRun {
  readonly values: Float32Array;
  /** From the first byte sent to the last one back. */
  readonly ms: number;
}

/**
 * A hand-written kernel for cell-centred fields u, v and w of the host: with fusion's inputs and output, and timed alike, as
 * seed 001 does (§ IV-D).
 */
export async function runReference(
  gpu: GpuContext,
  name: ReferenceName,
  dataSet: DataSet,
): Promise<ReferenceRun> {
  const { grid } = dataSet;
  const start = performance.now();
  const bind = await referencePass(gpu, name, "arrays", valueDims(grid, "cell"));
  const held: PooledBuffer[] = [];
  const hold = (buffer: PooledBuffer) => {
    held.push(buffer);
    return buffer;
  };
  try {
    const velocity: PooledBuffer[] = [];
    for (const component of ["u", "v", "w"]) {
      const field = fieldNamed(dataSet, component);
      if (!field) throw new Error(`the reference reads a field ${component}`);
      velocity.push(hold((await uploadField(gpu, grid, field, noJob, [0])).buffer));
    }
    const tables = readsTables(name) ? hold(createGridTables(gpu, grid, "cell").buffer) : undefined;
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
    const bytes = valueCount(grid, "cell") * 4;
    const result = hold(gpu.pool.allocate("the reference's result", bytes, usage));
    await gpu.checked(`The reference of ${name}`, () => {
      const encoder = gpu.device.createCommandEncoder();
      const pass = encoder.beginComputePass();
      bind({ velocity, tables, result })(pass);
      pass.end();
      gpu.device.queue.submit([encoder.finish()]);
    });
    const values = await readUnchangingF32(gpu, result);
    return { values, ms: performance.now() - start };
  } finally {
    for (const buffer of held) buffer.release();
  }
}
