import type { PooledBuffer } from "../device/pool.ts";
import type { Memory } from "./memory.ts";

/**
 * Buffers for what kernels keep between dispatches. Each taken buffer is its own, since WebGPU allows no buffer to be
 * read-only and writable in one dispatch; after `reset` they are handed out again, so that repeating a recording
 * allocates nothing. Contents are whatever was left there.
 */
export class Workspace {
  readonly #memory: Memory;
  readonly #largest: number;
  #free: PooledBuffer[] = [];
  #taken: PooledBuffer[] = [];
  /** Buffers in the order in which they were made. */
  readonly #numbers = new WeakMap<PooledBuffer, number>();
  #made = 0;

  constructor(memory: Memory, largest: number) {
    this.#memory = memory;
    this.#largest = largest;
  }

  /** Bytes held. */
  get size(): number {
    return [...this.#free, ...this.#taken].reduce((sum, { size }) => sum + size, 0);
  }

  get mark(): number {
    return this.#taken.length;
  }

  /**
   * The smallest free buffer that holds `bytes` without being more than four times as large, or a new one. Of equal ones
   * the oldest, so that a repeated recording gets the same buffers, and with them the same bind groups.
   */
  take(label: string, bytes: number): GPUBuffer {
    const most = 4 * Math.max(bytes, 4096);
    let best = -1;
    for (let k = 0; k < this.#free.length; k++) {
      const { size } = this.#free[k];
      const fits = size >= bytes && size <= most && this.#memory.holds(this.#free[k]);
      if (fits && (best < 0 || this.#precedes(this.#free[k], this.#free[best]))) best = k;
    }
    const chosen = best < 0 ? this.#make(label, bytes) : this.#free.splice(best, 1)[0];
    this.#taken.push(chosen);
    return chosen.buffer;
  }

  /** Frees what was taken since the mark: dispatches recorded later may overwrite it. */
  release(mark: number): void {
    while (this.#taken.length > mark) {
      const buffer = this.#taken.pop()!;
      if (this.#memory.holds(buffer)) this.#free.push(buffer);
    }
  }

  /** Gives everything back to the device. */
  dispose(): void {
    for (const buffer of [...this.#free, ...this.#taken]) buffer.release();
    this.#free = [];
    this.#taken = [];
  }

  #precedes(a: PooledBuffer, b: PooledBuffer): boolean {
    return a.size === b.size ? this.#numbers.get(a)! < this.#numbers.get(b)! : a.size < b.size;
  }

  #make(label: string, bytes: number): PooledBuffer {
    const { STORAGE, COPY_SRC, COPY_DST, INDIRECT } = GPUBufferUsage;
    const size = Math.min(roundUp(bytes), Math.max(bytes, this.#largest));
    const usage = STORAGE | COPY_SRC | COPY_DST | INDIRECT;
    const made = this.#memory.allocate(`workspace: ${label}`, size, usage);
    this.#numbers.set(made, this.#made++);
    return made;
  }
}

/** To a multiple of an eighth of the power of two below, 1 KiB at least; from 256 KiB on of a 32nd of it. */
function roundUp(bytes: number): number {
  const power = Math.floor(Math.log2(Math.max(bytes, 1)));
  const step = 2 ** Math.max(10, power - (power < 18 ? 3 : 5));
  return Math.ceil(bytes / step) * step || step;
}
