import { BoundKernel, submitPass } from "../compute/dispatch.ts";
import { Uniform } from "../compute/uniform.ts";
import type { GpuContext } from "../device/context.ts";
import type { BufferScope, PooledBuffer } from "../device/pool.ts";
import type { GpuField } from "../fields/gpu-field.ts";
import { type Fragment, linkFragments } from "../shader/fragment.ts";
import type { PlaneParameters } from "./plane.ts";
import type { SurfaceBuffers } from "./surface-buffers.ts";

const threads = 256;
const maxGroups = 1024;

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
const copy: Fragment = {
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

const shader = { label: "surface scalars", code: linkFragments(copy), entryPoint: "copy_scalars" };

/** Compiles what `copyScalars` needs, so that it submits its reading of the surface before it returns. */
export async function prepareCopy(gpu: GpuContext): Promise<GPUComputePipeline> {
  return gpu.pipelines.get(shader);
}

/** The plane that a surface is clipped by, and how many vertices it had before. */
export interface ScalarClip {
  readonly plane: PlaneParameters;
  readonly sourceVertices: number;
}

/** The scalars of a surface's vertices, NaN where a vertex is clipped away: a field. Whoever asked releases the buffer. */
export type SurfaceScalars = Pick<GpuField, "buffer" | "count" | "components" | "offsets">;

/** Copies the scalars of the first `count` vertices. Throws OutOfMemory, DeviceLost. */
export async function copyScalars(
  gpu: GpuContext,
  pipeline: GPUComputePipeline,
  surface: SurfaceBuffers,
  count: number,
  offset: number,
  clip: ScalarClip | undefined,
): Promise<SurfaceScalars> {
  const scope = gpu.scope();
  try {
    const buffer = await gpu.checked("The surface's scalars", () =>
      submitCopy(gpu, scope, pipeline, surface, count, clip),
    );
    return { buffer: scope.keep(buffer), count, components: 1, offsets: [offset] };
  } finally {
    scope.release();
  }
}

function submitCopy(
  gpu: GpuContext,
  scope: BufferScope,
  pipeline: GPUComputePipeline,
  surface: SurfaceBuffers,
  count: number,
  clip: ScalarClip | undefined,
): PooledBuffer {
  const uniform = new Uniform<ScalarParameters>(gpu, scope, parameters);
  uniform.set({ ...clip?.plane, source_vertices: clip?.sourceVertices ?? 0 });
  uniform.write();
  const buffer = scope.allocate("surface scalars", count * 4, GPUBufferUsage.STORAGE);
  const kernel = new BoundKernel(gpu, pipeline, [surface.vertices, buffer, uniform]);
  const groups = Math.min(maxGroups, Math.ceil(count / threads));
  submitPass(gpu, shader.label, (pass) => kernel.dispatch(pass, groups));
  return buffer;
}
