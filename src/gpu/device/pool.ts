import { CrinkleError } from "../../core/errors.ts";
import { capitalized, formatBytes } from "../../core/format.ts";

/** A GPU buffer with an owner. Whoever holds it calls `release` once; a second call does nothing. */
export interface PooledBuffer {
  readonly buffer: GPUBuffer;
  /** Bytes asked for, rounded up to 4; the whole buffer's size where a pool made it. */
  readonly size: number;
  /** Bytes before the first one in `buffer`: only where it is a part of a buffer that no pool made. */
  readonly offset?: number;
  readonly label: string;
  release(): void;
}

export interface MemoryUse {
  /** Bytes in buffers that somebody holds now. */
  readonly current: number;
  /** The most that `current` has been since the last `resetPeak`. */
  readonly peak: number;
  readonly buffers: number;
}

/** What is known of a buffer without asking the device, whose answers take microseconds each. */
export interface Holding {
  readonly device: GPUDevice;
  /** Bytes. */
  readonly size: number;
  /** Bytes that the device binds as one. */
  readonly largestBinding: number;
}

/** Every buffer that a pool made and somebody holds. */
const holdings = new WeakMap<GPUBuffer, Holding>();

/** Makes a buffer known that no pool made: its owner's, who destroys it after its last use. */
export const recognize = (buffer: GPUBuffer, holding: Holding): void => {
  holdings.set(buffer, holding);
};

/** Undefined for what was released, or that no pool made and nobody made known. */
export const holdingOf = (buffer: GPUBuffer): Holding | undefined => holdings.get(buffer);

/**
 * Creates buffers and accounts for every byte of them. A buffer that exceeds the device's limits is refused
 * with the bytes it needs and the bytes that fit, before anything is allocated.
 */
export class BufferPool {
  /** The largest buffer that can be bound whole as storage. */
  readonly largestBinding: number;
  /** The largest buffer, which can be bound in parts where it is larger than a binding. */
  readonly largestBuffer: number;
  readonly #device: GPUDevice;
  #current = 0;
  #peak = 0;
  readonly #held = new Set<GPUBuffer>();
  readonly #watches = new Set<{ peak: number }>();

  constructor(device: GPUDevice) {
    const { maxBufferSize, maxStorageBufferBindingSize } = device.limits;
    this.largestBinding = Math.min(maxBufferSize, maxStorageBufferBindingSize);
    this.largestBuffer = maxBufferSize;
    this.#device = device;
  }

  get use(): MemoryUse {
    return { current: this.#current, peak: this.#peak, buffers: this.#held.size };
  }

  /** Whether somebody holds this buffer of the pool: false for what was released or is not of it. */
  holds(buffer: GPUBuffer): boolean {
    return this.#held.has(buffer);
  }

  resetPeak(): void {
    this.#peak = this.#current;
  }

  /** Watches the bytes that are held until it is called: then it returns the most that these have been. */
  watchPeak(): () => number {
    const watch = { peak: this.#current };
    this.#watches.add(watch);
    return () => {
      this.#watches.delete(watch);
      return watch.peak;
    };
  }

  /** Throws TooLarge where `bytes` are more than `most`: they have to be one storage binding unless another limit is given. */
  allocate(
    label: string,
    bytes: number,
    usage: GPUBufferUsageFlags,
    most = this.largestBinding,
  ): PooledBuffer {
    const size = Math.max(4, Math.ceil(bytes / 4) * 4);
    if (size > most) {
      throw new CrinkleError({
        tag: "TooLarge",
        problem: `${capitalized(label)} needs ${formatBytes(size)} in one GPU buffer; this device allows ${formatBytes(most)}.`,
        remedy: "Load a part of the data, or use a device with larger buffers.",
      });
    }
    const buffer = this.#device.createBuffer({ label, size, usage });
    this.#current += size;
    this.#peak = Math.max(this.#peak, this.#current);
    for (const watch of this.#watches) watch.peak = Math.max(watch.peak, this.#current);
    this.#held.add(buffer);
    holdings.set(buffer, { device: this.#device, size, largestBinding: this.largestBinding });
    const release = () => {
      if (!this.#held.delete(buffer)) return;
      holdings.delete(buffer);
      this.#current -= size;
      buffer.destroy();
    };
    return { buffer, size, label, release };
  }

  /** Takes a buffer out of the accounts: whoever gets it destroys it. */
  handOver({ buffer, size }: PooledBuffer): GPUBuffer {
    if (this.#held.delete(buffer)) this.#current -= size;
    holdings.delete(buffer);
    return buffer;
  }

  /** Destroys whatever is still held: the end of a device. */
  dispose(): void {
    for (const buffer of this.#held) {
      holdings.delete(buffer);
      buffer.destroy();
    }
    this.#held.clear();
    this.#current = 0;
  }
}

/** Owns the buffers of one job: everything it allocated is released together unless handed on with `keep`. */
export class BufferScope {
  readonly #pool: BufferPool;
  readonly #owned = new Set<PooledBuffer>();

  constructor(pool: BufferPool) {
    this.#pool = pool;
  }

  allocate(label: string, bytes: number, usage: GPUBufferUsageFlags, most?: number): PooledBuffer {
    const buffer = this.#pool.allocate(label, bytes, usage, most);
    this.#owned.add(buffer);
    return buffer;
  }

  /** Takes a buffer out of the scope: the caller owns it from now on. */
  keep(buffer: PooledBuffer): PooledBuffer {
    this.#owned.delete(buffer);
    return buffer;
  }

  release(): void {
    for (const buffer of this.#owned) buffer.release();
    this.#owned.clear();
  }
}
