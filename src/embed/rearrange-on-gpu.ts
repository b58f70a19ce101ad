import type { TypedArray } from "../core/dtype.ts";
import type { IndexMap } from "../core/hypercube/index-map.ts";
import { Recorder } from "../gpu/compute/recorder.ts";
import type { GpuContext } from "../gpu/device/context.ts";
import type { PooledBuffer } from "../gpu/device/pool.ts";
import { readBytes } from "../gpu/device/transfer.ts";
import { createExchange, createRearrangement, wordCount } from "../gpu/hypercube/rearrange.ts";
import { badArgument } from "./refusal.ts";

/** Sends an array to the GPU, and reads what a map makes of it into `target`, which may be the same array. */
export async function rearrangeOnGpu(
  gpu: GpuContext,
  map: IndexMap,
  bytes: 1 | 2 | 4 | 8 | 16,
  source: TypedArray,
  target: TypedArray,
): Promise<void> {
  const isInPlace = source.buffer === target.buffer && source.byteOffset === target.byteOffset;
  const exchange = isInPlace ? await createExchange(gpu, map, bytes) : undefined;
  if (isInPlace && !exchange) {
    throw badArgument(
      "The map cannot be done in place on the GPU, since it does not exchange elements in pairs of whole words.",
      "Leave out out, or give another array.",
    );
  }
  const scope = gpu.scope();
  const recorder = new Recorder(gpu, "rearrangement");
  const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
  const view = ({ buffer, size }: PooledBuffer) => ({ buffer, offset: 0, length: size / 4 });
  const usage = STORAGE | COPY_SRC | COPY_DST;
  const allocate = (what: string, lengths: readonly number[]) =>
    scope.allocate(`rearrangement: ${what}`, 4 * wordCount(lengths, bytes), usage, gpu.pool.largestBuffer);
  try {
    const ready = exchange ? undefined : await createRearrangement(gpu, map, bytes);
    const result = await gpu.checked("A rearrangement", () => {
      const from = allocate("source", map.from);
      const to = exchange ? from : allocate("result", map.to);
      write(gpu, from, source);
      exchange?.record(recorder, view(from));
      ready?.record(recorder, { source: view(from), target: view(to) });
      recorder.submit();
      return to;
    });
    const read = await readBytes(gpu, result, 0, target.byteLength);
    new Uint8Array(target.buffer, target.byteOffset, target.byteLength).set(new Uint8Array(read));
  } finally {
    recorder.dispose();
    scope.release();
  }
}

/** The queue copies multiples of 4 bytes. */
function write({ device }: GpuContext, { buffer, size }: PooledBuffer, array: TypedArray): void {
  const bytes = new Uint8Array(array.buffer as ArrayBuffer, array.byteOffset, array.byteLength);
  if (bytes.length === size) {
    device.queue.writeBuffer(buffer, 0, bytes);
    return;
  }
  const whole = bytes.length - (bytes.length % 4);
  const last = new Uint8Array(4);
  last.set(bytes.subarray(whole));
  if (whole > 0) device.queue.writeBuffer(buffer, 0, bytes, 0, whole);
  device.queue.writeBuffer(buffer, whole, last);
}
