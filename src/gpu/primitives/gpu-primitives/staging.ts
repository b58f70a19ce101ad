import type { Memory } from "../../compute/memory.ts";
import type { PooledBuffer } from "../../device/pool.ts";

/** Bytes of the buffers that are kept for the next time; larger ones go back to the device. */
const kept = 1 << 16;

/** Buffers that the host reads. */
export class Staging {
  readonly #memory: Memory;
  readonly #free: PooledBuffer[] = [];
  #isDisposed = false;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Bytes that are free for the next time. */
  get freeSize(): number {
    return this.#free.reduce((sum, { size }) => sum + size, 0);
  }

  take(bytes: number): PooledBuffer {
    const free = bytes <= kept ? this.#free.pop() : undefined;
    const usage = GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ;
    return free ?? this.#memory.allocateLong("read-back of a vector", Math.max(kept, bytes), usage);
  }

  /** The buffer's first bytes, once it has been mapped; then it is free. */
  contents(staging: PooledBuffer, bytes: number): ArrayBuffer {
    const data = staging.buffer.getMappedRange(0, bytes).slice(0);
    staging.buffer.unmap();
    if (this.#isDisposed || staging.size > kept) staging.release();
    else this.#free.push(staging);
    return data;
  }

  /** Gives what is free back to the device, but for so many buffers. */
  trim(count = 0): void {
    for (const buffer of this.#free.splice(count)) buffer.release();
  }

  dispose(): void {
    this.#isDisposed = true;
    this.trim();
  }
}
