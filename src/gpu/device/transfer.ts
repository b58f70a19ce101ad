import type { GpuContext } from "./context.ts";
import type { PooledBuffer } from "./pool.ts";
import { stagingBytes } from "./staging.ts";

/** Copies bytes back to the host. Waits for the GPU; the staging buffer lives as long as the copy. */
export async function readBytes(
  gpu: GpuContext,
  source: PooledBuffer,
  offset = 0,
  size = source.size - offset,
): Promise<ArrayBuffer> {
  const padded = Math.ceil(size / 4) * 4;
  if (padded === 0) return new ArrayBuffer(0);
  const label = `read-back of ${source.label}`;
  const scope = gpu.scope();
  try {
    const mapped = gpu.checked(`The ${label}`, async () => {
      const usage = GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ;
      const { buffer } = scope.allocate(label, padded, usage, gpu.pool.largestBuffer);
      const encoder = gpu.device.createCommandEncoder({ label });
      encoder.copyBufferToBuffer(source.buffer, offset, buffer, 0, padded);
      gpu.device.queue.submit([encoder.finish()]);
      await buffer.mapAsync(GPUMapMode.READ);
      return buffer;
    });
    gpu.countDownload(size);
    return (await mapped).getMappedRange(0, padded).slice(0, size);
  } finally {
    scope.release();
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

const partWords = stagingBytes / 4;

/** Up to so many words a queue's own copy is as fast. */
const fewWords = 1 << 18;

/**
 * Fills `words` from a buffer that nobody writes until they are here: part by part, which holds no staging buffer as
 * large. Where they have been touched before that is several times faster.
 */
export async function readUnchangingF32(
  gpu: GpuContext,
  source: PooledBuffer,
  words = new Float32Array(source.size / 4),
): Promise<Float32Array<ArrayBuffer>> {
  const count = words.length;
  for (let first = 0; first < count; first += partWords) {
    const n = Math.min(partWords, count - first);
    const received = gpu.staging.receive(source.buffer, (source.offset ?? 0) + first * 4, n * 4, (part) =>
      words.set(part, first),
    );
    await gpu.guard(received);
  }
  gpu.countDownload(4 * count);
  return words;
}

/**
 * Sends `count` words from byte `offset` of a buffer, which `fill` writes part by part: words from `first` on into `part`.
 * Resolves when all are submitted. `pause` is waited for after each part.
 */
export async function sendF32(
  gpu: GpuContext,
  target: GPUBuffer,
  offset: number,
  count: number,
  fill: (part: Float32Array<ArrayBuffer>, first: number) => void,
  pause?: (sent: number) => Promise<void> | void,
): Promise<void> {
  if (count <= fewWords) {
    const words = new Float32Array(count);
    fill(words, 0);
    gpu.device.queue.writeBuffer(target, offset, words);
    return pause?.(count);
  }
  for (let first = 0; first < count; first += partWords) {
    const n = Math.min(partWords, count - first);
    const sent = gpu.staging.send(target, offset + first * 4, n * 4, (part) => fill(part, first));
    await gpu.guard(sent);
    await pause?.(first + n);
  }
}
