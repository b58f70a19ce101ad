import type { CrinkleError } from "../../../core/errors.ts";
import type { Memory } from "../../compute/memory.ts";
import type { GpuContext } from "../../device/context.ts";
import type { PooledBuffer } from "../../device/pool.ts";

/** Memory of a vector. It is free for others once its owner and everything that is to read it have let go. */
export interface Block {
  readonly memory: PooledBuffer;
  readonly isReleased: boolean;
  /** Why it does not hold what was to be written to it, where that is known. */
  readonly fault: CrinkleError | undefined;
  lose(fault: CrinkleError): void;
  /** Keeps it for a recording that has yet to read it, until `done`. */
  retain(): void;
  done(): void;
  release(): void;
}

/** Memory that has another owner: it counts as released once that lets go of it. */
export const adoptedBlock = (memory: PooledBuffer, isHeld: () => boolean): Block => ({
  memory,
  get isReleased() {
    return !isHeld();
  },
  fault: undefined,
  lose: () => {},
  retain: () => {},
  done: () => {},
  release: () => {},
});

/**
 * Buffers by size: what one vector leaves the next one of its size takes, so that repeated work allocates nothing. Of
 * equal ones the oldest is taken, so that repeated work gets the same buffers, and with them the same bind groups.
 */
export class Blocks {
  readonly #gpu: GpuContext;
  readonly #memory: Memory;
  /** By the order in which they were made. */
  readonly #all = new Map<PooledBuffer, number>();
  /** The oldest last. */
  readonly #free = new Map<number, PooledBuffer[]>();
  #made = 0;
  /** Freed since the last submission: commands that were recorded may still use them. */
  readonly #pending = new Set<PooledBuffer>();
  readonly #refused = new WeakMap<PooledBuffer, CrinkleError>();

  constructor(gpu: GpuContext, memory: Memory) {
    this.#gpu = gpu;
    this.#memory = memory;
  }

  /** Bytes that are free for the next vectors. */
  get freeSize(): number {
    let sum = 0;
    for (const [size, buffers] of this.#free) sum += size * buffers.length;
    return sum;
  }

  take(words: number): Block {
    const size = this.#sizeOf(words);
    return new CountedBlock(this.#takeFree(size) ?? this.#make(size), this.#refused, this.#recycle);
  }

  /** Whether commands that are not submitted yet use the memory. */
  isPending({ memory }: Block): boolean {
    return this.#pending.has(memory);
  }

  /** Whether fewer words would take half of its memory or less. */
  isWasteful({ memory }: Block, words: number): boolean {
    return this.#sizeOf(words) * 2 <= memory.size;
  }

  submitted(): void {
    this.#pending.clear();
  }

  /** Gives the memory that nobody uses back to the device. */
  trim(): void {
    for (const buffers of this.#free.values()) {
      for (const buffer of buffers) {
        buffer.release();
        this.#all.delete(buffer);
      }
    }
    this.#free.clear();
  }

  dispose(): void {
    for (const buffer of this.#all.keys()) buffer.release();
    this.#all.clear();
    this.#free.clear();
  }

  #takeFree(size: number): PooledBuffer | undefined {
    const free = this.#free.get(size);
    let memory = free?.pop();
    while (memory && !this.#memory.holds(memory)) memory = free?.pop();
    return memory;
  }

  readonly #recycle = (memory: PooledBuffer): void => {
    const number = this.#all.get(memory);
    if (number === undefined) return;
    this.#pending.add(memory);
    const free = this.#free.get(memory.size);
    if (!free) {
      this.#free.set(memory.size, [memory]);
      return;
    }
    const isOlder = (other: PooledBuffer) => (this.#all.get(other) ?? 0) < number;
    let place = free.length;
    while (place > 0 && isOlder(free[place - 1])) place--;
    free.splice(place, 0, memory);
  };

  /** Bytes: a multiple of an eighth of the power of two below, 256 at least. */
  #sizeOf(words: number): number {
    const bytes = Math.max(4 * words, 256);
    const step = Math.max(256, 2 ** (Math.floor(Math.log2(bytes)) - 3));
    const rounded = Math.ceil(bytes / step) * step;
    return Math.min(rounded, Math.max(4 * words, this.#gpu.pool.largestBinding));
  }

  #make(size: number): PooledBuffer {
    const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
    const usage = STORAGE | COPY_SRC | COPY_DST;
    const memory = this.#memory.allocateLong("vector", size, usage, (refused, fault) => {
      this.#all.delete(refused);
      this.#refused.set(refused, fault);
    });
    this.#all.set(memory, this.#made++);
    return memory;
  }
}

/** A block that counts who uses its memory, and gives that back after the last. */
class CountedBlock implements Block {
  readonly memory: PooledBuffer;
  readonly #refused: WeakMap<PooledBuffer, CrinkleError>;
  readonly #recycle: (memory: PooledBuffer) => void;
  #users = 1;
  #isReleased = false;
  #fault: CrinkleError | undefined;

  constructor(
    memory: PooledBuffer,
    refused: WeakMap<PooledBuffer, CrinkleError>,
    recycle: (memory: PooledBuffer) => void,
  ) {
    this.memory = memory;
    this.#refused = refused;
    this.#recycle = recycle;
  }

  get isReleased(): boolean {
    return this.#isReleased;
  }

  get fault(): CrinkleError | undefined {
    return this.#fault ?? this.#refused.get(this.memory);
  }

  lose(why: CrinkleError): void {
    this.#fault ??= why;
  }

  retain(): void {
    this.#users++;
  }

  done(): void {
    this.#users--;
    if (this.#users === 0) this.#recycle(this.memory);
  }

  release(): void {
    if (this.#isReleased) return;
    this.#isReleased = true;
    this.done();
  }
}
