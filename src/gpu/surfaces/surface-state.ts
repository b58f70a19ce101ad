import type { BufferScope, PooledBuffer } from "../device/pool.ts";
import type { Fragment } from "../shader/fragment.ts";

/**
 * What a surface's extraction counts, after the five words of an indexed indirect draw: vertices and indices that it
 * asked for, whether or not they fitted.
 */
export const drawWords = 5;
export const stateWords = 7;

export const surfaceState: Fragment = {
  name: "surface state",
  code: /* wgsl */ `
struct SurfaceState {
  index_count: atomic<u32>,
  instance_count: u32,
  first_index: u32,
  base_vertex: u32,
  first_instance: u32,
  vertex_demand: atomic<u32>,
  index_demand: atomic<u32>,
}
`,
};

export function allocateState(scope: BufferScope, name: string): PooledBuffer {
  const { STORAGE, INDIRECT, COPY_SRC, COPY_DST } = GPUBufferUsage;
  return scope.allocate(`${name}: draw arguments`, stateWords * 4, STORAGE | INDIRECT | COPY_SRC | COPY_DST);
}
