import type { GpuContext } from "../../device/context.ts";
import type { BufferScope, PooledBuffer } from "../../device/pool.ts";
import type { Capacity } from "./capacity.ts";
import { drawWords, stateWords } from "./surface-state.ts";

/** Reads what an extraction counted, through one small buffer that is kept: one read at a time. */
export class CountReader {
  readonly #gpu: GpuContext;
  readonly #staging: PooledBuffer;

  constructor(gpu: GpuContext, scope: BufferScope) {
    this.#gpu = gpu;
    this.#staging = scope.allocate(
      "surface: counts",
      stateWords * 4,
      GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ,
    );
  }

  /** The demand of the last extraction submitted before this call. */
  async read(state: PooledBuffer): Promise<Capacity> {
    const { device } = this.#gpu;
    const staging = this.#staging.buffer;
    const encoder = device.createCommandEncoder({ label: "surface: counts" });
    encoder.copyBufferToBuffer(state.buffer, 0, staging, 0, stateWords * 4);
    device.queue.submit([encoder.finish()]);
    await this.#gpu.guard(staging.mapAsync(GPUMapMode.READ));
    const words = new Uint32Array(staging.getMappedRange());
    const demand = { vertices: words[drawWords], indices: words[drawWords + 1] };
    staging.unmap();
    return demand;
  }
}
