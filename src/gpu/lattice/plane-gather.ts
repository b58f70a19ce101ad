/** Copies the sites of a plane through a lattice into the planes of a field. */
import type { Triple } from "../../core/grid.ts";
import type { Recorder } from "../compute/recorder.ts";
import type { GpuContext } from "../device/context.ts";
import type { PooledBuffer } from "../device/pool.ts";
import { linearGroup } from "../shader/dispatch.ts";
import { type Fragment, linkFragments } from "../shader/fragment.ts";

const threads = 256;

const gather: Fragment = {
  name: "gather a plane of a lattice",
  requires: [linearGroup],
  code: /* wgsl */ `
struct Parameters {
  dims: vec3u,
  /** The site in the plane's corner. */
  first: u32,
  strides: vec3u,
  /** The word for that site. */
  target_first: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> sites: array<f32>;
@group(0) @binding(2) var<storage, read_write> values: array<f32>;

@compute @workgroup_size(${threads})
fn gather_plane(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) thread: u32,
) {
  let i = linear_group(group, groups) * ${threads}u + thread;
  let dims = parameters.dims;
  if (i >= dims.x * dims.y * dims.z) {
    return;
  }
  let place = vec3u(i, i / dims.x, i / (dims.x * dims.y)) % dims;
  values[parameters.target_first + i] = sites[parameters.first + dot(place, parameters.strides)];
}
`,
};

const shader = { label: gather.name, code: linkFragments(gather), entryPoint: "gather_plane" };

/** Where the sites of a plane lie among those of the lattice. */
export interface SitePlane {
  readonly dims: Triple;
  readonly first: number;
  readonly strides: Triple;
}

/** Records copies of the plane's sites to the words of `target` from `targetFirst` on. */
export type GatherPlane = (
  recorder: Recorder,
  sites: PooledBuffer,
  plane: SitePlane,
  target: PooledBuffer,
  targetFirst: number,
) => void;

export async function planeGather(gpu: GpuContext): Promise<GatherPlane> {
  const pipeline = await gpu.pipelines.get(shader);
  return (recorder, sites, { dims, first, strides }, target, targetFirst) => {
    const parameters = recorder.parameters([...dims, first, ...strides, targetFirst]);
    const workgroups = Math.ceil((dims[0] * dims[1] * dims[2]) / threads);
    recorder.dispatch(pipeline, [parameters, sites, target], workgroups);
  };
}
