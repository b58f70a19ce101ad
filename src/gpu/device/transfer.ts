import type { GpuContext } from "./context.ts";
import type { PooledBuffer } from "./pool.ts";

/** Copies bytes back to the host. Waits for the GPU; the staging buffer lives as long as the copy. */
export async function readBytes(
  gpu: GpuContext,
  source: PooledBuffer,
  offset = 0,
  size = source.size - offset,
): Promise<ArrayBuffer> {
  const padded = Math.ceil(size / 4) * 4;
  if (padded === 0) return new ArrayBuffer(0);
  const staging = gpu.pool.allocate(
    `read-back of ${source.label}`,
    padded,
    GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ,
  );
  try {
    const mapped = gpu.checked(`The ${staging.label}`, () => {
      const encoder = gpu.device.createCommandEncoder({ label: staging.label });
      encoder.copyBufferToBuffer(source.buffer, offset, staging.buffer, 0, padded);
      gpu.device.queue.submit([encoder.finish()]);
      return staging.buffer.mapAsync(GPUMapMode.READ);
    });
    gpu.counters.downloads++;
    await mapped;
    return staging.buffer.getMappedRange(0, padded).slice(0, size);
  } finally {
    staging.release();
  }
}

export async function readF32(
  gpu: GpuContext,
  source: PooledBuffer,
  first = 0,
  count = source.size / 4 - first,
): Promise<Float32Array<ArrayBuffer>> {
  return new Float32Array(await readBytes(gpu, source, first * 4, count * 4));
}

export async function readU32(
  gpu: GpuContext,
  source: PooledBuffer,
  first = 0,
  count = source.size / 4 - first,
): Promise<Uint32Array<ArrayBuffer>> {
  return new Uint32Array(await readBytes(gpu, source, first * 4, count * 4));
}
