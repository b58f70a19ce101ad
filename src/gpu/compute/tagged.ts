import type { PooledBuffer } from "../device/pool.ts";
import type { Memory } from "./memory.ts";

/** Tags go from 1 to this: 13 bits. */
export const maxTag = 2 ** 13 - 1;

/** A buffer whose words have no tag in their upper 13 bits that is as great as `tag`. */
export interface TaggedBuffer {
  readonly buffer: GPUBuffer;
  readonly tag: number;
}

/**
 * A buffer that kernels write words to which carry their recording's tag in the upper 13 bits, so that what earlier
 * recordings left needs no clearing. It begins as zeros and is cleared when tags run out.
 */
export class TaggedWorkspace {
  readonly #memory: Memory;
  #current: PooledBuffer | undefined;
  #outgrown: PooledBuffer[] = [];
  #tag = 0;

  constructor(memory: Memory) {
    this.#memory = memory;
  }

  /** Bytes held. */
  get size(): number {
    return [...this.#outgrown, ...(this.#current ? [this.#current] : [])].reduce(
      (sum, { size }) => sum + size,
      0,
    );
  }

  /** The buffer, of at least `bytes`, with a tag of its own. `encoder` is asked for where it has to be cleared. */
  take(bytes: number, encoder: () => GPUCommandEncoder): TaggedBuffer {
    const current = this.#current;
    if (!current || current.size < bytes || !this.#memory.holds(current)) this.#grow(bytes);
    const { buffer } = this.#current!;
    if (this.#tag === maxTag) {
      encoder().clearBuffer(buffer);
      this.#tag = 0;
    }
    return { buffer, tag: ++this.#tag };
  }

  /** Frees what was outgrown: call it when whatever was recorded is submitted. */
  settle(): void {
    for (const buffer of this.#outgrown) buffer.release();
    this.#outgrown = [];
  }

  /** Gives everything back to the device. */
  dispose(): void {
    this.settle();
    this.#current?.release();
    this.#current = undefined;
  }

  #grow(bytes: number): void {
    if (this.#current) this.#outgrown.push(this.#current);
    const size = 2 ** Math.ceil(Math.log2(Math.max(bytes, 4096)));
    const { STORAGE, COPY_DST } = GPUBufferUsage;
    this.#current = this.#memory.allocate("workspace: tagged words", size, STORAGE | COPY_DST);
    this.#tag = 0;
  }
}
