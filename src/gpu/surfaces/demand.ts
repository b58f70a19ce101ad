import type { Fragment } from "../shader/fragment.ts";

/**
 * Vertices and indices are counted up to here: more than any buffer holds, and so far below 2³² that what all workgroups
 * add at a time cannot go round.
 */
export const mostDemand = 2 ** 31;

/**
 * Takes places in the buffers for a workgroup, and tells the first. Beyond the limit what was added is taken back, so
 * that counters stay there and no place is given twice. The kernel's surface state is called `state`.
 */
export const demand: Fragment = {
  name: "demand",
  code: /* wgsl */ `
const most_demand = ${mostDemand}u;

fn take_vertices(count: u32) -> u32 {
  let first = atomicAdd(&state.vertex_demand, count);
  if (first >= most_demand) {
    atomicSub(&state.vertex_demand, count);
  }
  return first;
}

fn take_indices(count: u32) -> u32 {
  let first = atomicAdd(&state.index_demand, count);
  if (first >= most_demand) {
    atomicSub(&state.index_demand, count);
  }
  return first;
}
`,
};
