import { vertexBytes } from "../../core/marching-cubes/surface-records.ts";
import { allocateChecked } from "../device/allocate.ts";
import type { GpuContext } from "../device/context.ts";
import type { PooledBuffer } from "../device/pool.ts";
import type { Capacity } from "./capacity.ts";

/** Where a surface's vertices and indices go. */
export interface SurfaceBuffers {
  readonly vertices: PooledBuffer;
  readonly indices: PooledBuffer;
  /** The pass's own. */
  readonly work: PooledBuffer;
  /** Indices of the clipped surface, as many; undefined while it is not clipped. */
  readonly clipped?: PooledBuffer;
  readonly capacity: Capacity;
}

const usage = () => GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;

/** `SurfaceBuffers.clipped`. Throws OutOfMemory, TooLarge; nothing is left allocated then. */
export function allocateClipped(gpu: GpuContext, name: string, { indices }: Capacity): Promise<PooledBuffer> {
  const label = `${name}: clipped indices`;
  return allocateChecked(gpu, `The clipped ${name}`, label, indices * 4, usage() | GPUBufferUsage.INDEX);
}

/** Throws OutOfMemory, TooLarge; nothing is left allocated then. */
export async function allocateSurface(
  gpu: GpuContext,
  name: string,
  capacity: Capacity,
  workBytes: number,
): Promise<SurfaceBuffers> {
  const scope = gpu.scope();
  try {
    const [vertices, indices, work] = await gpu.checked(`The ${name}`, () => [
      scope.allocate(`${name}: vertices`, capacity.vertices * vertexBytes, usage() | GPUBufferUsage.VERTEX),
      scope.allocate(`${name}: indices`, capacity.indices * 4, usage() | GPUBufferUsage.INDEX),
      scope.allocate(`${name}: work`, Math.max(workBytes, 4), GPUBufferUsage.STORAGE),
    ]);
    const kept = { vertices: scope.keep(vertices), indices: scope.keep(indices), work: scope.keep(work) };
    return { ...kept, capacity };
  } finally {
    scope.release();
  }
}

export function releaseSurface({ vertices, indices, work, clipped }: SurfaceBuffers): void {
  for (const buffer of [vertices, indices, work, clipped]) buffer?.release();
}
