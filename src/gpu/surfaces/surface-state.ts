import type { BufferScope, PooledBuffer } from "../device/pool.ts";
import type { Fragment } from "../shader/fragment.ts";

/**
 * What a surface's extraction counts, after the five words of an indexed indirect draw: vertices and indices that it
 * asked for, whether or not they fitted.
 */
export const drawWords = 5;
export const stateWords = 7;

/** The members of a state, for structs that begin with one; atomic where workgroups count together. */
export const stateMembers = (counter: "atomic<u32>" | "u32"): string => /* wgsl */ `
  index_count: ${counter},
  instance_count: u32,
  first_index: u32,
  base_vertex: u32,
  first_instance: u32,
  vertex_demand: ${counter},
  index_demand: ${counter},`;

export const surfaceState: Fragment = {
  name: "surface state",
  code: /* wgsl */ `
struct SurfaceState {${stateMembers("atomic<u32>")}
}
`,
};

/** Begins an extraction that has so many vertices. The surface's state is called `state`. */
export const resetCounts: Fragment = {
  name: "reset counts",
  code: /* wgsl */ `
fn reset_counts(vertices: u32) {
  atomicStore(&state.index_count, 0u);
  state.instance_count = 1u;
  atomicStore(&state.vertex_demand, vertices);
  atomicStore(&state.index_demand, 0u);
}
`,
};

/** A state of so many words. `scope` gets the buffer. */
export function allocateState(scope: BufferScope, name: string, words = stateWords): PooledBuffer {
  const { STORAGE, INDIRECT, COPY_SRC, COPY_DST } = GPUBufferUsage;
  return scope.allocate(`${name}: draw arguments`, words * 4, STORAGE | INDIRECT | COPY_SRC | COPY_DST);
}
