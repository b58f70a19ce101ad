import type { UniformGrid } from "../../core/grid.ts";
import { noJob } from "../../core/job.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import type { PooledBuffer } from "../../gpu/device/pool.ts";
import { readF32 } from "../../gpu/device/transfer.ts";
import { createGridTables, type GridTables } from "../../gpu/fields/grid-tables.ts";
import { uploadField } from "../../gpu/fields/upload.ts";
import { compile } from "../../lang/expression/compile.ts";
import { prepareOnGpu } from "../../lang/expression/execute/gpu/evaluate.ts";
import type { BenchCase } from "../case.ts";
import { timePass } from "../measure.ts";
import { type ReferenceName, readsTables, referenceNames, referencePass } from "../reference/kernels.ts";
import { swirlingFlow, uniformGrid } from "./fields.ts";

const expressions: Readonly<Record<ReferenceName, string>> = {
  velocity_magnitude: "magnitude(v)",
  vorticity_magnitude: "magnitude(curl(v))",
  q_criterion: "q_criterion(v)",
};

/** The hand-written kernel of an expression, whose result has to be that of fusion. */
function referenceCase(name: ReferenceName): BenchCase {
  return {
    name: `derived/reference_${name}`,
    async run({ gpu, isQuick, n: planes = isQuick ? 64 : 1024 }) {
      const edge = isQuick ? 64 : 192;
      const grid = uniformGrid([edge, edge, planes], 0, 2 * Math.PI);
      const host = swirlingFlow(grid);
      const velocity = await uploadField(gpu, grid, host, noJob);
      const tables = createGridTables(gpu, grid, "node");
      const bytes = velocity.count * 4;
      const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
      const result = gpu.pool.allocate("bench: reference", bytes, usage);
      try {
        const bind = await referencePass(gpu, name, "planes", grid.dims);
        const read = readsTables(name) ? tables.buffer : undefined;
        const ms = await timePass(gpu, bind({ velocity: [velocity.buffer], tables: read, result }));
        const verified = await isAsFused(gpu, name, grid, velocity, tables, result);
        return { n: velocity.count, ms, bytes: 4 * bytes, verified };
      } finally {
        for (const buffer of [velocity.buffer, tables.buffer, result]) buffer.release();
      }
    },
  };
}

async function isAsFused(
  gpu: GpuContext,
  name: ReferenceName,
  grid: UniformGrid,
  velocity: Awaited<ReturnType<typeof uploadField>>,
  tables: GridTables,
  result: PooledBuffer,
): Promise<boolean> {
  const { centering, components } = velocity;
  const network = compile(`result = ${expressions[name]}`, [{ name: "v", centering, components }]);
  const inputs = { grid, field: async () => velocity, tables: () => tables };
  const fused = await prepareOnGpu(gpu, network, inputs, ["result"]);
  try {
    const encoder = gpu.device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    fused.record(pass);
    pass.end();
    gpu.device.queue.submit([encoder.finish()]);
    const window = Math.min(1 << 18, velocity.count);
    for (const first of [0, (velocity.count - window) >> 1, velocity.count - window]) {
      const [got, due] = await Promise.all(
        [result, fused.fields.get("result")!.buffer].map((buffer) => readF32(gpu, buffer, first, window)),
      );
      const size = due.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
      if (!due.every((x, i) => Math.abs(x - got[i]) <= 1e-5 * size)) return false;
    }
    return true;
  } finally {
    fused.release();
  }
}

export const referenceCases: readonly BenchCase[] = referenceNames.map(referenceCase);
