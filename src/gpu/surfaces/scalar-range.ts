import { Uniform } from "../compute/uniform.ts";
import type { GpuContext } from "../device/context.ts";
import type { BufferScope } from "../device/pool.ts";
import type { GpuField } from "../fields/gpu-field.ts";
import { type Fragment, linkFragments } from "../shader/fragment.ts";
import { histogram } from "../statistics/histogram.ts";
import { fieldStatistics } from "../statistics/statistics.ts";
import type { PlaneParameters } from "./plane.ts";
import type { SurfaceBuffers } from "./surface-buffers.ts";

const threads = 256;
const maxGroups = 1024;
const bins = 512;

const parameters: Fragment = {
  name: "surface scalars: parameters",
  code: /* wgsl */ `
struct Parameters {
  /** Of the plane, relative to the grid's center. */
  origin: vec3f,
  /** Only of these first vertices some may be clipped away. */
  source_vertices: u32,
  factors: vec3f,
}

@group(0) @binding(2) var<uniform> parameters: Parameters;
`,
};

interface ScalarParameters extends PlaneParameters {
  readonly source_vertices: number;
}

/** A vertex is eight words; its scalar is the seventh, NaN where the vertex is clipped away. */
const copyScalars: Fragment = {
  name: "copy scalars",
  requires: [parameters],
  code: /* wgsl */ `
@group(0) @binding(0) var<storage, read> vertices: array<u32>;
@group(0) @binding(1) var<storage, read_write> scalars: array<u32>;

fn is_clipped(i: u32) -> bool {
  if (i >= parameters.source_vertices) {
    return false;
  }
  let position = bitcast<vec3f>(vec3u(vertices[8u * i], vertices[8u * i + 1u], vertices[8u * i + 2u]));
  let terms = (position - parameters.origin) * parameters.factors;
  return (terms.x + terms.y) + terms.z < 0.0;
}

@compute @workgroup_size(${threads})
fn copy_scalars(@builtin(global_invocation_id) thread: vec3u, @builtin(num_workgroups) groups: vec3u) {
  for (var i = thread.x; i < arrayLength(&scalars); i += groups.x * ${threads}u) {
    scalars[i] = select(vertices[8u * i + 6u], 0x7fc00000u, is_clipped(i));
  }
}
`,
};

const shader = { label: "surface scalars", code: linkFragments(copyScalars), entryPoint: "copy_scalars" };

/** Compiles what `scalarRange` needs, so that it submits its reading of the surface before it returns. */
export async function prepareScalarRange(gpu: GpuContext): Promise<GPUComputePipeline> {
  return gpu.pipelines.get(shader);
}

/** The plane that a surface is clipped by, and how many vertices it had before. */
export interface ScalarClip {
  readonly plane: PlaneParameters;
  readonly sourceVertices: number;
}

/**
 * The range of a surface's scalars, each with `offset` added, without the share `tail` of the vertices at either
 * end; undefined where no vertex has a finite scalar. `count` is the number of vertices. One copy and two
 * read-backs of some KiB. Throws OutOfMemory, DeviceLost.
 */
export async function scalarRange(
  gpu: GpuContext,
  pipeline: GPUComputePipeline,
  surface: SurfaceBuffers,
  count: number,
  offset: number,
  tail: number,
  clip: ScalarClip | undefined,
): Promise<readonly [number, number] | undefined> {
  if (count === 0) return undefined;
  const scope = gpu.scope();
  try {
    const scalars = await gpu.checked("The surface's scalars", () =>
      gatherScalars(gpu, scope, pipeline, surface, count, offset, clip),
    );
    const { min, max, nan, infinite } = await gpu.guard(fieldStatistics(gpu, scalars));
    if (Number.isNaN(min)) return undefined;
    if (!(max > min)) return [min, max];
    const counts = await histogram(gpu, scalars, [min, max], bins);
    return trimmed(counts, [min, max], tail * (count - nan - infinite));
  } finally {
    scope.release();
  }
}

function gatherScalars(
  gpu: GpuContext,
  scope: BufferScope,
  pipeline: GPUComputePipeline,
  surface: SurfaceBuffers,
  count: number,
  offset: number,
  clip: ScalarClip | undefined,
): GpuField {
  const { device } = gpu;
  const uniform = new Uniform<ScalarParameters>(gpu, scope, parameters);
  uniform.set({ ...clip?.plane, source_vertices: clip?.sourceVertices ?? 0 });
  uniform.write();
  const buffer = scope.allocate("surface scalars", count * 4, GPUBufferUsage.STORAGE);
  const encoder = device.createCommandEncoder({ label: shader.label });
  const pass = encoder.beginComputePass({ label: shader.label });
  pass.setPipeline(pipeline);
  pass.setBindGroup(
    0,
    device.createBindGroup({
      label: shader.label,
      layout: pipeline.getBindGroupLayout(0),
      entries: [
        { binding: 0, resource: { buffer: surface.vertices.buffer } },
        { binding: 1, resource: { buffer: buffer.buffer, size: count * 4 } },
        { binding: 2, resource: { buffer: uniform.buffer } },
      ],
    }),
  );
  pass.dispatchWorkgroups(Math.min(maxGroups, Math.ceil(count / threads)));
  pass.end();
  device.queue.submit([encoder.finish()]);
  return {
    name: shader.label,
    centering: "node",
    components: 1,
    dims: [count, 1, 1],
    count,
    buffer,
    offsets: [offset],
  };
}

/** The borders of the bins within which all but `outside` values at either end lie. */
function trimmed(
  counts: Uint32Array,
  [min, max]: readonly [number, number],
  outside: number,
): readonly [number, number] {
  let first = 0;
  let last = counts.length - 1;
  for (let below = counts[0]; first < last && below <= outside; below += counts[first]) first++;
  for (let above = counts[last]; last > first && above <= outside; above += counts[last]) last--;
  const width = (max - min) / counts.length;
  return [
    first === 0 ? min : min + first * width,
    last === counts.length - 1 ? max : min + (last + 1) * width,
  ];
}
