import type { Triple } from "../../core/grid.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import type { PooledBuffer } from "../../gpu/device/pool.ts";

/** Threads of a workgroup along x and y, and planes that each of them walks along z. */
const tile = [64, 4] as const;
const depth = 8;

/** Bindings, and `velocity(at)`, where the velocity is one array of three planes, or three arrays. */
const layouts = {
  planes: { arrays: ["v"], value: "vec3f(v[at], v[at + count], v[at + 2u * count])" },
  arrays: { arrays: ["u", "v", "w"], value: "vec3f(u[at], v[at], w[at])" },
} as const;

export type VelocityLayout = keyof typeof layouts;

function head(layout: VelocityLayout): string {
  const { arrays, value } = layouts[layout];
  const inputs = [...arrays, "tables"].map(
    (name, k) => `@group(0) @binding(${k}) var<storage, read> ${name}: array<f32>;`,
  );
  return /* wgsl */ `
override nx: u32;
override ny: u32;
override nz: u32;
${inputs.join("\n")}
@group(0) @binding(${inputs.length}) var<storage, read_write> result: array<f32>;

fn velocity(at: u32) -> vec3f {
  let count = nx * ny * nz;
  return ${value};
}
`;
}

/** A thread walks along z with three planes of the velocity in registers. */
const walk = (value: string): string => /* wgsl */ `
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

const each = /* wgsl */ `
@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(num_workgroups) groups: vec3u, @builtin(local_invocation_index) thread: u32) {
  let count = nx * ny * nz;
  let first = (group.x + group.y * groups.x) * 1024u + thread;
  for (var k = 0u; k < 4u; k++) {
    let at = first + 256u * k;
    if (at < count) {
      let here = velocity(at);
      result[at] = sqrt(here.x * here.x + here.y * here.y + here.z * here.z);
    }
  }
}`;

/** Kernels as one writes them by hand for one expression of a velocity (seed 001's references). */
const bodies = {
  velocity_magnitude: each,
  vorticity_magnitude: walk("length(vec3f(dy.z - dz.y, dz.x - dx.z, dx.y - dy.x))"),
  q_criterion: walk(
    "-0.5 * (dx.x * dx.x + dy.y * dy.y + dz.z * dz.z) - (dy.x * dx.y + dz.x * dx.z + dz.y * dy.z)",
  ),
} as const;

export type ReferenceName = keyof typeof bodies;

export const referenceNames = Object.keys(bodies) as ReferenceName[];

/** Whether the kernel reads the grid's tables. */
export const readsTables = (name: ReferenceName): boolean => name !== "velocity_magnitude";

function groupsOf(name: ReferenceName, [nx, ny, nz]: Triple): Triple {
  if (readsTables(name)) return [Math.ceil(nx / tile[0]), Math.ceil(ny / tile[1]), Math.ceil(nz / depth)];
  const groups = Math.ceil((nx * ny * nz) / 1024);
  const y = Math.ceil(groups / 65535);
  return [Math.ceil(groups / y), y, 1];
}

export interface ReferenceBuffers {
  readonly velocity: readonly PooledBuffer[];
  /** `GridTables` of the values' centring, where the kernel reads them. */
  readonly tables: PooledBuffer | undefined;
  readonly result: PooledBuffer;
}

/** Compiles a kernel for `dims` values, and gives what records it into a pass. */
export async function referencePass(
  gpu: GpuContext,
  name: ReferenceName,
  layout: VelocityLayout,
  [nx, ny, nz]: Triple,
): Promise<(buffers: ReferenceBuffers) => (pass: GPUComputePassEncoder) => void> {
  const pipeline = await gpu.pipelines.get({
    label: `reference of ${name}`,
    code: head(layout) + bodies[name],
    entryPoint: "main",
    constants: { nx, ny, nz },
  });
  return ({ velocity, tables, result }) => {
    const group = gpu.device.createBindGroup({
      layout: pipeline.getBindGroupLayout(0),
      entries: [...velocity, tables, result].flatMap((buffer, binding) =>
        buffer ? [{ binding, resource: { buffer: buffer.buffer } }] : [],
      ),
    });
    return (pass) => {
      pass.setPipeline(pipeline);
      pass.setBindGroup(0, group);
      pass.dispatchWorkgroups(...groupsOf(name, [nx, ny, nz]));
    };
  };
}
