/**
 * Measures GPU time of compute passes with timestamp queries, resolved together; where the device has none,
 * or for work outside passes, by wall clock around a wait (`GpuContext.idle`).
 * Chromium rounds timestamps to 65.5 µs: repeat short kernels inside one pass.
 */
export class PassTimer {
  readonly #device: GPUDevice;
  readonly #capacity: number;
  readonly #queries: GPUQuerySet | undefined;
  readonly #resolved: GPUBuffer | undefined;
  readonly #readable: GPUBuffer | undefined;
  #used = 0;

  constructor(device: GPUDevice, capacity = 64) {
    this.#device = device;
    this.#capacity = capacity;
    if (!device.features.has("timestamp-query")) return;
    const size = capacity * 16;
    this.#queries = device.createQuerySet({ label: "pass timer", type: "timestamp", count: capacity * 2 });
    this.#resolved = device.createBuffer({
      label: "pass timer: resolved",
      size,
      usage: GPUBufferUsage.QUERY_RESOLVE | GPUBufferUsage.COPY_SRC,
    });
    this.#readable = device.createBuffer({
      label: "pass timer: readable",
      size,
      usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ,
    });
  }

  get isAvailable(): boolean {
    return this.#queries !== undefined;
  }

  /** Descriptor part for the next pass; undefined where there are no timestamps or no slots left. */
  next(): GPUComputePassTimestampWrites | undefined {
    if (!this.#queries || this.#used >= this.#capacity) return undefined;
    const slot = this.#used++;
    return {
      querySet: this.#queries,
      beginningOfPassWriteIndex: slot * 2,
      endOfPassWriteIndex: slot * 2 + 1,
    };
  }

  /** Milliseconds of each pass since the last call, in order. Waits for the GPU. */
  async read(): Promise<number[]> {
    if (!this.#queries || !this.#resolved || !this.#readable || this.#used === 0) return [];
    const count = this.#used;
    this.#used = 0;
    const encoder = this.#device.createCommandEncoder({ label: "pass timer" });
    encoder.resolveQuerySet(this.#queries, 0, count * 2, this.#resolved, 0);
    encoder.copyBufferToBuffer(this.#resolved, 0, this.#readable, 0, count * 16);
    this.#device.queue.submit([encoder.finish()]);
    await this.#readable.mapAsync(GPUMapMode.READ, 0, count * 16);
    const ticks = new BigUint64Array(this.#readable.getMappedRange(0, count * 16).slice(0));
    this.#readable.unmap();
    return Array.from({ length: count }, (_, i) => Number(ticks[2 * i + 1] - ticks[2 * i]) / 1e6);
  }

  dispose(): void {
    this.#queries?.destroy();
    this.#resolved?.destroy();
    this.#readable?.destroy();
  }
}
