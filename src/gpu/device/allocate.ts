import type { GpuContext } from "./context.ts";
import type { PooledBuffer } from "./pool.ts";

/** A buffer that the device has memory for. Throws TooLarge, OutOfMemory or DeviceLost, and holds nothing then. */
export async function allocateChecked(
  gpu: GpuContext,
  what: string,
  label: string,
  bytes: number,
  usage: GPUBufferUsageFlags,
): Promise<PooledBuffer> {
  const scope = gpu.scope();
  try {
    return scope.keep(await gpu.checked(what, () => scope.allocate(label, bytes, usage)));
  } finally {
    scope.release();
  }
}
