import type { GpuContext } from "../../gpu/device/context.ts";
import type { BufferScope, PooledBuffer } from "../../gpu/device/pool.ts";

type Words = Uint32Array<ArrayBuffer> | Float32Array<ArrayBuffer> | Int32Array<ArrayBuffer>;

/** Words that the host sends at most. */
const maxSent = 1 << 20;

/** A buffer of n words: `data` again and again. Its length and maxSent are multiples of data's. */
export function repeat(gpu: GpuContext, scope: BufferScope, n: number, data: Words): PooledBuffer {
  const { STORAGE, COPY_DST, COPY_SRC } = GPUBufferUsage;
  const target = scope.allocate("bench: input", n * 4, STORAGE | COPY_DST | COPY_SRC, gpu.pool.largestBuffer);
  const words = new Uint32Array(Math.min(n, Math.max(maxSent, data.length)));
  const period = new Uint32Array(data.buffer, data.byteOffset, data.length);
  for (let at = 0; at < words.length; at += data.length) words.set(period.subarray(0, words.length - at), at);
  const source = gpu.pool.allocate("bench: period", words.byteLength, COPY_SRC | COPY_DST);
  gpu.device.queue.writeBuffer(source.buffer, 0, words);
  const encoder = gpu.device.createCommandEncoder();
  for (let at = 0; at < n; at += words.length) {
    const size = Math.min(words.length, n - at) * 4;
    encoder.copyBufferToBuffer(source.buffer, 0, target.buffer, at * 4, size);
  }
  gpu.device.queue.submit([encoder.finish()]);
  source.release();
  return target;
}
