import type { Recorder } from "../compute/recorder.ts";
import type { GpuContext } from "../device/context.ts";
import type { BufferScope } from "../device/pool.ts";

/** Bytes of a buffer. */
interface BytesOfBuffer {
  readonly source: GPUBuffer;
  readonly offset: number;
  readonly bytes: number;
}

/** Reads pieces of buffers together, again and again: the buffer that they are mapped from stays. */
export class PieceReader {
  readonly #gpu: GpuContext;
  readonly #label: string;
  #scope: BufferScope | undefined;
  #buffer: GPUBuffer | undefined;

  constructor(gpu: GpuContext, label: string) {
    this.#gpu = gpu;
    this.#label = label;
  }

  /** Submits what is recorded, and resolves to the words, piece after piece. Throws TooLarge, OutOfMemory, DeviceLost. */
  async read(recorder: Recorder, pieces: readonly BytesOfBuffer[]): Promise<Uint32Array<ArrayBuffer>> {
    const bytes = pieces.reduce((sum, piece) => sum + piece.bytes, 0);
    if (bytes === 0) return new Uint32Array(0);
    const buffer = await this.#roomy(bytes);
    const { encoder } = recorder;
    let at = 0;
    for (const piece of pieces) {
      encoder.copyBufferToBuffer(piece.source, piece.offset, buffer, at, piece.bytes);
      at += piece.bytes;
    }
    recorder.submit();
    await this.#gpu.guard(buffer.mapAsync(GPUMapMode.READ, 0, bytes));
    this.#gpu.counters.downloads++;
    const words = new Uint32Array(buffer.getMappedRange(0, bytes)).slice();
    buffer.unmap();
    return words;
  }

  dispose(): void {
    this.#scope?.release();
    this.#scope = undefined;
    this.#buffer = undefined;
  }

  async #roomy(bytes: number): Promise<GPUBuffer> {
    if (this.#buffer && this.#buffer.size >= bytes) return this.#buffer;
    this.dispose();
    const scope = this.#gpu.scope();
    this.#scope = scope;
    const usage = GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ;
    const { buffer } = await this.#gpu.checked(`What is read of a ${this.#label}`, () =>
      scope.allocate(`${this.#label}: pieces`, bytes, usage, this.#gpu.pool.largestBuffer),
    );
    this.#buffer = buffer;
    return buffer;
  }
}
