import { CrinkleError } from "../../core/errors.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import { lossReported } from "../../gpu/device/loss.ts";

/** Copies that may be on their way at a time. */
const length = 8;

interface Slot {
  readonly buffer: GPUBuffer;
  isFree: boolean;
}

/** Buffers in turn for copies that are read when they arrive, in their order, while others are on their way. */
export class ReadRing {
  readonly #gpu: GpuContext;
  readonly #slots: readonly Slot[];
  readonly #release: () => void;
  readonly #failed: (error: unknown) => void;
  #latest: Promise<void> = Promise.resolve();
  #isDisposed = false;

  /** `failed` is called with the reason why a copy was not read, unless it is that the device was lost. Throws OutOfMemory. */
  static async create(gpu: GpuContext, label: string, bytes: number, failed: (error: unknown) => void) {
    const scope = gpu.scope();
    const { COPY_DST, MAP_READ } = GPUBufferUsage;
    const slots = await gpu.checked("A lattice's sums", () =>
      Array.from({ length }, () => ({
        buffer: scope.allocate(label, bytes, COPY_DST | MAP_READ).buffer,
        isFree: true,
      })),
    );
    return new ReadRing(gpu, slots, () => scope.release(), failed);
  }

  private constructor(
    gpu: GpuContext,
    slots: readonly Slot[],
    release: () => void,
    failed: (error: unknown) => void,
  ) {
    this.#gpu = gpu;
    this.#slots = slots;
    this.#release = release;
    this.#failed = failed;
  }

  /** A buffer to copy to; undefined while all are on their way. Give it to `read` once the copy is submitted. */
  take(): GPUBuffer | undefined {
    const slot = this.#slots.find(({ isFree }) => isFree);
    if (slot) slot.isFree = false;
    return slot?.buffer;
  }

  /** Number of buffers that `take` would give one after the other. */
  get free(): number {
    return this.#slots.filter(({ isFree }) => isFree).length;
  }

  /** Calls `use` with the first `bytes` when they have come and all earlier copies were used. */
  read(buffer: GPUBuffer, bytes: number, use: (bytes: ArrayBuffer) => void): void {
    const mapped = buffer.mapAsync(GPUMapMode.READ, 0, bytes);
    mapped.catch(() => {});
    this.#latest = this.#latest.then(() => this.#use(buffer, mapped, bytes, use));
  }

  /** Resolves when all copies have been used. */
  async settled(): Promise<void> {
    let latest: Promise<void> | undefined;
    while (latest !== this.#latest) {
      latest = this.#latest;
      await latest;
    }
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#release();
  }

  async #use(
    buffer: GPUBuffer,
    mapped: Promise<undefined>,
    bytes: number,
    use: (bytes: ArrayBuffer) => void,
  ): Promise<void> {
    try {
      await mapped;
      use(buffer.getMappedRange(0, bytes));
      buffer.unmap();
      for (const slot of this.#slots) if (slot.buffer === buffer) slot.isFree = true;
    } catch (error) {
      if (!(error instanceof CrinkleError)) await lossReported(this.#gpu.device);
      if (!this.#isDisposed && !this.#gpu.isLost) this.#failed(error);
    }
  }
}
