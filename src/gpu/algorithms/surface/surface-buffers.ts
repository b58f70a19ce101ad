import { vertexBytes } from "../../../core/marching-cubes/surface-records.ts";
import type { GpuContext } from "../../device/context.ts";
import type { PooledBuffer } from "../../device/pool.ts";
import type { Capacity } from "./capacity.ts";

/** Where a surface's vertices and indices go. */
export interface SurfaceBuffers {
  readonly vertices: PooledBuffer;
  readonly indices: PooledBuffer;
  readonly capacity: Capacity;
}

/** Throws OutOfMemory, TooLarge; nothing is left allocated then. */
export async function allocateSurface(
  gpu: GpuContext,
  name: string,
  capacity: Capacity,
): Promise<SurfaceBuffers> {
  const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
  const scope = gpu.scope();
  try {
    const [vertices, indices] = await gpu.checked(`The ${name}`, () => [
      scope.allocate(`${name}: vertices`, capacity.vertices * vertexBytes, usage | GPUBufferUsage.VERTEX),
      scope.allocate(`${name}: indices`, capacity.indices * 4, usage | GPUBufferUsage.INDEX),
    ]);
    return { vertices: scope.keep(vertices), indices: scope.keep(indices), capacity };
  } finally {
    scope.release();
  }
}

export function releaseSurface({ vertices, indices }: SurfaceBuffers): void {
  vertices.release();
  indices.release();
}
