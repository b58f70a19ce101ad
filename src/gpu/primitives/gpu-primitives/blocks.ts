import { CrinkleError } from "../../../core/errors.ts";
import type { GpuContext } from "../../device/context.ts";
import type { PooledBuffer } from "../../device/pool.ts";

/** Memory of a vector. It is free for others once its owner and everything that is to read it have let go. */
export interface Block {
  readonly memory: PooledBuffer;
  readonly isReleased: boolean;
  /** Keeps it for a recording that has yet to read it, until `done`. */
  retain(): void;
  done(): void;
  release(): void;
}

/** Buffers by size: what one vector leaves the next one of its size takes, so that repeated work allocates nothing. */
export class Blocks {
  readonly #gpu: GpuContext;
  readonly #all = new Set<PooledBuffer>();
  readonly #free = new Map<number, PooledBuffer[]>();
  /** Freed since the last submission: commands that were recorded may still use them. */
  readonly #pending = new Set<PooledBuffer>();
  #fault: CrinkleError | undefined;

  constructor(gpu: GpuContext) {
    this.#gpu = gpu;
  }

  /** OutOfMemory, where the device refused memory since this was last asked. */
  takeFault(): CrinkleError | undefined {
    const fault = this.#fault;
    this.#fault = undefined;
    return fault;
  }

  take(words: number): Block {
    const size = this.#sizeOf(words);
    const memory = this.#free.get(size)?.pop() ?? this.#make(size);
    let users = 1;
    let isReleased = false;
    const done = () => {
      users--;
      if (users === 0) this.#recycle(memory);
    };
    return {
      memory,
      get isReleased() {
        return isReleased;
      },
      retain: () => {
        users++;
      },
      done,
      release: () => {
        if (isReleased) return;
        isReleased = true;
        done();
      },
    };
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
    for (const buffer of this.#all) buffer.release();
    this.#all.clear();
    this.#free.clear();
  }

  #recycle(memory: PooledBuffer): void {
    if (!this.#all.has(memory)) return;
    this.#pending.add(memory);
    const free = this.#free.get(memory.size);
    if (free) free.push(memory);
    else this.#free.set(memory.size, [memory]);
  }

  /** Bytes: a multiple of an eighth of the power of two below, 256 at least. */
  #sizeOf(words: number): number {
    const bytes = Math.max(4 * words, 256);
    const step = Math.max(256, 2 ** (Math.floor(Math.log2(bytes)) - 3));
    const rounded = Math.ceil(bytes / step) * step;
    return Math.min(rounded, Math.max(4 * words, this.#gpu.pool.largestBinding));
  }

  #make(size: number): PooledBuffer {
    const { STORAGE, COPY_SRC, COPY_DST } = GPUBufferUsage;
    const { device, pool } = this.#gpu;
    device.pushErrorScope("out-of-memory");
    try {
      const memory = pool.allocate("vector", size, STORAGE | COPY_SRC | COPY_DST);
      this.#all.add(memory);
      return memory;
    } finally {
      device.popErrorScope().then(
        (error) => {
          if (error) this.#fault = outOfMemory(size, error);
        },
        () => {},
      );
    }
  }
}

const outOfMemory = (bytes: number, { message }: GPUError): CrinkleError =>
  new CrinkleError({
    tag: "OutOfMemory",
    problem: `A vector of ${bytes} bytes does not fit in GPU memory: ${message}.`,
    remedy: "Release vectors, or work on parts of them.",
  });
