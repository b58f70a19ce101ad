import type { UniformGrid } from "../../core/grid.ts";
import { unattended } from "../../core/job.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import type { PooledBuffer } from "../../gpu/device/pool.ts";
import { readF32 } from "../../gpu/device/transfer.ts";
import { createGridTables, type GridTables } from "../../gpu/fields/grid-tables.ts";
import { uploadField } from "../../gpu/fields/upload.ts";
import { compile } from "../../lang/expression/compile.ts";
import { prepareOnGpu } from "../../lang/expression/strategies/fusion/evaluate.ts";
import type { BenchCase } from "../case.ts";
import { timePass } from "../measure.ts";
import { swirlingFlow, uniformGrid } from "./fields.ts";

/** Threads of a workgroup along x and y, and planes that each of them walks along z. */
const tile = [64, 4] as const;
const depth = 8;

const head = /* wgsl */ `
override nx: u32;
override ny: u32;
override nz: u32;
@group(0) @binding(0) var<storage, read> v: array<f32>;
@group(0) @binding(1) var<storage, read> tables: array<f32>;
@group(0) @binding(2) var<storage, read_write> result: array<f32>;
`;

/** A thread walks along z with three planes of the velocity in registers. */
const walk = (value: string): string => /* wgsl */ `${head}
fn velocity(at: u32) -> vec3f {
  let count = nx * ny * nz;
  return vec3f(v[at], v[at + count], v[at + 2u * count]);
}

@compute @workgroup_size(${tile[0]}, ${tile[1]})
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= nx || id.y >= ny) { return; }
  let spans = nx + ny + nz;
  let inverse = vec2f(tables[spans + id.x], tables[spans + nx + id.y]);
  let plane = nx * ny;
  let first = id.z * ${depth}u;
  let row = id.x + nx * id.y;
  let left = select(0u, 1u, id.x > 0u);
  let right = select(0u, 1u, id.x < nx - 1u);
  let down = select(0u, nx, id.y > 0u);
  let up = select(0u, nx, id.y < ny - 1u);
  var below = velocity(row + plane * (max(first, 1u) - 1u));
  var here = velocity(row + plane * first);
  for (var z = first; z < min(first + ${depth}u, nz); z++) {
    let at = row + plane * z;
    let above = velocity(row + plane * min(z + 1u, nz - 1u));
    let dx = (velocity(at + right) - velocity(at - left)) * inverse.x;
    let dy = (velocity(at + up) - velocity(at - down)) * inverse.y;
    let dz = (above - below) * tables[spans + nx + ny + z];
    result[at] = ${value};
    below = here;
    here = above;
  }
}`;

/** Kernels as one writes them by hand for one expression (seed 001's references). */
const references = {
  velocity_magnitude: {
    expression: "magnitude(v)",
    code: /* wgsl */ `${head}
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32) {
  let count = nx * ny * nz;
  let first = (group.x + group.y * groups.x) * 1024u + thread;
  for (var k = 0u; k < 4u; k++) {
    let at = first + 256u * k;
    if (at < count) { result[at] = sqrt(v[at] * v[at] + v[at + count] * v[at + count] + v[at + 2u * count] * v[at + 2u * count]); }
  }
}`,
  },
  vorticity_magnitude: {
    expression: "magnitude(curl(v))",
    code: walk("length(vec3f(dy.z - dz.y, dz.x - dx.z, dx.y - dy.x))"),
  },
  q_criterion: {
    expression: "q_criterion(v)",
    code: walk(
      "-0.5 * (dx.x * dx.x + dy.y * dy.y + dz.z * dz.z) - (dy.x * dx.y + dz.x * dx.z + dz.y * dy.z)",
    ),
  },
} as const;

type Name = keyof typeof references;

function groupsOf(name: Name, [nx, ny, nz]: UniformGrid["dims"]): readonly [number, number, number] {
  if (name !== "velocity_magnitude") {
    return [Math.ceil(nx / tile[0]), Math.ceil(ny / tile[1]), Math.ceil(nz / depth)];
  }
  const groups = Math.ceil((nx * ny * nz) / 1024);
  const y = Math.ceil(groups / 65535);
  return [Math.ceil(groups / y), y, 1];
}

async function referencePass(
  gpu: GpuContext,
  name: Name,
  { dims: [nx, ny, nz] }: UniformGrid,
  buffers: readonly PooledBuffer[],
): Promise<(pass: GPUComputePassEncoder) => void> {
  const pipeline = await gpu.pipelines.get({
    label: `reference of ${name}`,
    code: references[name].code,
    entryPoint: "main",
    constants: { nx, ny, nz },
  });
  const used = name === "velocity_magnitude" ? [0, 2] : [0, 1, 2];
  const group = gpu.device.createBindGroup({
    layout: pipeline.getBindGroupLayout(0),
    entries: used.map((binding) => ({ binding, resource: { buffer: buffers[binding].buffer } })),
  });
  return (pass) => {
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, group);
    pass.dispatchWorkgroups(...groupsOf(name, [nx, ny, nz]));
  };
}

/** The hand-written kernel of an expression, whose result has to be that of fusion. */
function referenceCase(name: Name): BenchCase {
  return {
    name: `derived/reference_${name}`,
    async run({ gpu, isQuick, n: planes = isQuick ? 64 : 1024 }) {
      const edge = isQuick ? 64 : 192;
      const grid = uniformGrid([edge, edge, planes], 0, 2 * Math.PI);
      const host = swirlingFlow(grid);
      const velocity = await uploadField(gpu, grid, host, unattended);
      const tables = createGridTables(gpu, grid, "node");
      const bytes = velocity.count * 4;
      const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC;
      const result = gpu.pool.allocate("bench: reference", bytes, usage);
      try {
        const record = await referencePass(gpu, name, grid, [velocity.buffer, tables.buffer, result]);
        const ms = await timePass(gpu, record);
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
  name: Name,
  grid: UniformGrid,
  velocity: Awaited<ReturnType<typeof uploadField>>,
  tables: GridTables,
  result: PooledBuffer,
): Promise<boolean> {
  const { centering, components } = velocity;
  const network = compile(`result = ${references[name].expression}`, [{ name: "v", centering, components }]);
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

export const referenceCases: readonly BenchCase[] = (Object.keys(references) as Name[]).map(referenceCase);
