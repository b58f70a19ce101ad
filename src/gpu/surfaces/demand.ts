import type { Fragment } from "../shader/fragment.ts";

/**
 * Vertices and indices are counted up to here: more than any buffer holds, and so far below 2³² that what all workgroups
 * add at a time cannot go round.
 */
export const maxDemand = 2 ** 31;

/**
 * Reserves ranges of the buffers for a workgroup, and returns where they begin. Beyond the limit what was added is taken
 * back, so that counters stay there and no range is given twice. The kernel's surface state is called `state`.
 */
export const demand: Fragment = {
  name: "demand",
  code: /* wgsl */ `
const max_demand = ${maxDemand}u;

fn take_vertices(count: u32) -> u32 {
  let first = atomicAdd(&state.vertex_demand, count);
  if (first >= max_demand) {
    atomicSub(&state.vertex_demand, count);
  }
  return first;
}

fn take_indices(count: u32) -> u32 {
  let first = atomicAdd(&state.index_demand, count);
  if (first >= max_demand) {
    atomicSub(&state.index_demand, count);
  }
  return first;
}
`,
};

/**
 * Reserves ranges of vertices and indices at once; what is drawn reaches to the end of the indices. Needs a uniform
 * `parameters` with the member `index_capacity`.
 */
export const takeRanges: Fragment = {
  name: "take ranges",
  requires: [demand],
  code: /* wgsl */ `
/** The first vertex and the first index. */
fn take_ranges(vertex_count: u32, index_count: u32) -> vec2u {
  let first = vec2u(take_vertices(vertex_count), take_indices(index_count));
  atomicMax(&state.index_count, min(first.y + index_count, parameters.index_capacity));
  return first;
}
`,
};
