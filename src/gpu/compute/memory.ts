import { CrinkleError } from "../../core/errors.ts";
import type { GpuContext } from "../device/context.ts";
import type { PooledBuffer } from "../device/pool.ts";

type Refused = (memory: PooledBuffer, fault: CrinkleError) => void;

/** Allocates what recordings work in. That the device refused memory is known a while after it was asked for. */
export class Memory {
  readonly #gpu: GpuContext;
  #unknown = 0;
  #fault: CrinkleError | undefined;

  constructor(gpu: GpuContext) {
    this.#gpu = gpu;
  }

  /** Whether it is not known of some buffer yet whether there was memory for it. */
  get isUncertain(): boolean {
    return this.#unknown > 0;
  }

  /** OutOfMemory, where the device refused memory since this was last asked. */
  takeFault(): CrinkleError | undefined {
    const fault = this.#fault;
    this.#fault = undefined;
    return fault;
  }

  /** Whether the buffer was neither released nor refused, as far as is known. */
  holds({ buffer }: PooledBuffer): boolean {
    return this.#gpu.pool.holds(buffer);
  }

  /** A new buffer. Where the device refuses it, it is released, and `refused` is called with the reason. Throws TooLarge. */
  allocate(label: string, bytes: number, usage: GPUBufferUsageFlags, refused?: Refused): PooledBuffer {
    return this.#allocate(label, bytes, usage, this.#gpu.pool.largestBinding, refused);
  }

  /** The same for one that may be larger than a binding: it is bound in parts. */
  allocateLong(label: string, bytes: number, usage: GPUBufferUsageFlags, refused?: Refused): PooledBuffer {
    return this.#allocate(label, bytes, usage, this.#gpu.pool.largestBuffer, refused);
  }

  /** Runs `make`, whose errors come from refused memory while it is uncertain, and are found where it is submitted. */
  suppressingErrors<T>(make: () => T): T {
    if (!this.isUncertain) return make();
    const { device } = this.#gpu;
    device.pushErrorScope("validation");
    try {
      return make();
    } finally {
      device.popErrorScope().catch(() => {});
    }
  }

  #allocate(
    label: string,
    bytes: number,
    usage: GPUBufferUsageFlags,
    maxBytes: number,
    refused: Refused | undefined,
  ): PooledBuffer {
    const { device, pool } = this.#gpu;
    let memory: PooledBuffer | undefined;
    device.pushErrorScope("out-of-memory");
    try {
      memory = pool.allocate(label, bytes, usage, maxBytes);
      return memory;
    } finally {
      this.#unknown++;
      device.popErrorScope().then(
        (error) => {
          this.#unknown--;
          if (!memory || !error) return;
          this.#fault = outOfMemory(memory, error);
          memory.release();
          refused?.(memory, this.#fault);
        },
        () => {
          this.#unknown--;
        },
      );
    }
  }
}

const outOfMemory = ({ label, size }: PooledBuffer, { message }: GPUError): CrinkleError =>
  new CrinkleError({
    tag: "OutOfMemory",
    problem: `${size} bytes (${label}) do not fit in GPU memory: ${message}.`,
    remedy: "Release vectors, or work on parts of them.",
  });
