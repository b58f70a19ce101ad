import type { GpuContext } from "../device/context.ts";
import type { BufferScope, PooledBuffer } from "../device/pool.ts";
import type { Capacity } from "./capacity.ts";
import { maxDemand } from "./demand.ts";
import { drawWords, stateWords } from "./surface-state.ts";

/** The surface's and that of its clip. */
const maxStates = 2;

/** Reads what an extraction counted, through one small buffer that is kept: one read at a time. */
export class CountReader {
  readonly #gpu: GpuContext;
  readonly #staging: PooledBuffer;

  constructor(gpu: GpuContext, scope: BufferScope) {
    this.#gpu = gpu;
    this.#staging = scope.allocate(
      "surface: counts",
      maxStates * stateWords * 4,
      GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ,
    );
  }

  /** The demands of the last extraction submitted before this call, each at most `maxDemand`, which stands for more. */
  async read(states: readonly PooledBuffer[]): Promise<Capacity[]> {
    const { device } = this.#gpu;
    const staging = this.#staging.buffer;
    const encoder = device.createCommandEncoder({ label: "surface: counts" });
    for (const [i, { buffer }] of states.entries()) {
      encoder.copyBufferToBuffer(buffer, 0, staging, i * stateWords * 4, stateWords * 4);
    }
    device.queue.submit([encoder.finish()]);
    await this.#gpu.guard(staging.mapAsync(GPUMapMode.READ));
    const words = new Uint32Array(staging.getMappedRange());
    const demands = states.map((_, i) => {
      const at = i * stateWords + drawWords;
      return { vertices: Math.min(words[at], maxDemand), indices: Math.min(words[at + 1], maxDemand) };
    });
    staging.unmap();
    return demands;
  }
}
