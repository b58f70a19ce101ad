import type { PooledBuffer } from "../device/pool.ts";
import type { Memory } from "./memory.ts";

/** Bytes of a slot: what offsets of uniform bindings are multiples of. */
const slotBytes = 256;
const firstSlots = 64;

interface Chunk {
  readonly gpu: PooledBuffer;
  readonly words: Uint32Array<ArrayBuffer>;
  used: number;
}

/** Where a kernel's parameters are: a uniform binding, or a read-only storage binding. */
export interface ParameterSlot {
  readonly buffer: GPUBuffer;
  readonly offset: number;
  readonly size: number;
}

/** Parameters of the dispatches of one recording, sent together before they are submitted. */
export class ParameterArena {
  readonly #memory: Memory;
  readonly #label: string;
  readonly #chunks: Chunk[] = [];

  constructor(memory: Memory, label: string) {
    this.#memory = memory;
    this.#label = label;
  }

  /** Bytes held on the GPU. */
  get size(): number {
    return this.#chunks.reduce((sum, { gpu }) => sum + gpu.size, 0);
  }

  /** As many slots as these words need, one after the other; the rest of the last is 0. */
  add(words: ArrayLike<number>): ParameterSlot {
    const size = Math.max(1, Math.ceil((words.length * 4) / slotBytes)) * slotBytes;
    const chunk = this.#roomy(size);
    const offset = chunk.used;
    chunk.used += size;
    const first = offset / 4;
    for (let k = 0; k < words.length; k++) chunk.words[first + k] = words[k];
    chunk.words.fill(0, first + words.length, first + size / 4);
    return { buffer: chunk.gpu.buffer, offset, size };
  }

  /** Sends the slots added since the last time; they may be reused by what is recorded from now on. */
  send(queue: GPUQueue): void {
    for (const chunk of this.#chunks) {
      if (chunk.used > 0) queue.writeBuffer(chunk.gpu.buffer, 0, chunk.words, 0, chunk.used / 4);
      chunk.used = 0;
    }
  }

  dispose(): void {
    for (const { gpu } of this.#chunks) gpu.release();
    this.#chunks.length = 0;
  }

  #roomy(size: number): Chunk {
    for (const chunk of this.#chunks) if (chunk.used + size <= chunk.gpu.size) return chunk;
    return this.#grow(size);
  }

  #grow(minBytes: number): Chunk {
    const bytes = Math.max(minBytes, slotBytes * firstSlots * 2 ** this.#chunks.length);
    const usage = GPUBufferUsage.UNIFORM | GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_DST;
    const gpu = this.#memory.allocate(this.#label, bytes, usage);
    const chunk = { gpu, words: new Uint32Array(bytes / 4), used: 0 };
    this.#chunks.push(chunk);
    return chunk;
  }
}
