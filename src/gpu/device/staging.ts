/** Bytes of one buffer: long enough for the rate of the bus, filled within a millisecond or two. */
export const stagingBytes = 8 << 20;

/** Buffers of one direction: one is filled or emptied while the other is copied. */
const most = 2;

/**
 * Mapped buffers through which bytes pass between host and device. They stay for the device's life: touching fresh memory
 * takes several times longer than copying, which is what `queue.writeBuffer` and a new buffer for each read-back do.
 * They are the host's memory and count in no pool.
 */
export class Staging {
  readonly #device: GPUDevice;
  readonly #sending: Ring;
  readonly #receiving: Ring;

  constructor(device: GPUDevice) {
    this.#device = device;
    this.#sending = new Ring(device, () => GPUBufferUsage.MAP_WRITE | GPUBufferUsage.COPY_SRC, true);
    this.#receiving = new Ring(device, () => GPUBufferUsage.MAP_READ | GPUBufferUsage.COPY_DST, false);
  }

  /**
   * Sends `bytes`, at most `stagingBytes`, that `fill` writes, in the queue's order. Resolves when they are submitted. Does
   * nothing on a lost device, as a queue.
   */
  async send(
    target: GPUBuffer,
    offset: number,
    bytes: number,
    fill: (words: Float32Array<ArrayBuffer>) => void,
  ): Promise<void> {
    const buffer = await this.#sending.take();
    if (!buffer) return;
    fill(new Float32Array(buffer.getMappedRange(0, bytes)));
    buffer.unmap();
    this.#copy(buffer, 0, target, offset, bytes);
    buffer.mapAsync(GPUMapMode.WRITE).then(
      () => this.#sending.give(buffer),
      () => this.#sending.close(),
    );
  }

  /** Hands `take` at most `stagingBytes` of what the queue has written so far. Rejects on a lost device. */
  async receive(
    source: GPUBuffer,
    offset: number,
    bytes: number,
    take: (words: Float32Array) => void,
  ): Promise<void> {
    const buffer = await this.#receiving.take();
    if (!buffer) throw new Error("the device that is read from is lost");
    try {
      this.#copy(source, offset, buffer, 0, bytes);
      await buffer.mapAsync(GPUMapMode.READ, 0, bytes);
    } catch (error) {
      this.#receiving.close();
      throw error;
    }
    take(new Float32Array(buffer.getMappedRange(0, bytes)));
    buffer.unmap();
    this.#receiving.give(buffer);
  }

  #copy(from: GPUBuffer, fromOffset: number, to: GPUBuffer, toOffset: number, bytes: number): void {
    const encoder = this.#device.createCommandEncoder({ label: "staging" });
    encoder.copyBufferToBuffer(from, fromOffset, to, toOffset, bytes);
    this.#device.queue.submit([encoder.finish()]);
  }
}

/** Buffers that are taken and given back, made when first needed. */
class Ring {
  readonly #device: GPUDevice;
  readonly #usage: () => GPUBufferUsageFlags;
  readonly #isMapped: boolean;
  readonly #free: GPUBuffer[] = [];
  readonly #waiting: ((buffer: GPUBuffer | undefined) => void)[] = [];
  #made = 0;
  #isClosed = false;

  constructor(device: GPUDevice, usage: () => GPUBufferUsageFlags, isMapped: boolean) {
    this.#device = device;
    this.#usage = usage;
    this.#isMapped = isMapped;
  }

  /** A buffer once there is one; undefined once the ring is closed. */
  async take(): Promise<GPUBuffer | undefined> {
    if (this.#isClosed) return undefined;
    const free = this.#free.pop();
    if (free) return free;
    if (this.#made < most) {
      this.#made++;
      return this.#device.createBuffer({
        label: "staging",
        size: stagingBytes,
        usage: this.#usage(),
        mappedAtCreation: this.#isMapped,
      });
    }
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  give(buffer: GPUBuffer): void {
    const next = this.#waiting.shift();
    if (next) next(buffer);
    else this.#free.push(buffer);
  }

  /** The device is gone: nobody waits any longer. */
  close(): void {
    this.#isClosed = true;
    for (const next of this.#waiting.splice(0)) next(undefined);
  }
}
