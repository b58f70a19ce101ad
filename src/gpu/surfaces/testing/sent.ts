import type { GpuContext } from "../../device/context.ts";
import type { PooledBuffer } from "../../device/pool.ts";
import { type Capacity, fits } from "../capacity.ts";
import { SurfaceExtractor } from "../extractor.ts";
import type { SurfaceEvents } from "../surface.ts";
import type { SurfaceBuffers } from "../surface-buffers.ts";
import type { SurfacePass } from "../surface-pass.ts";
import { checkColor, type SurfaceBase } from "../surface-source.ts";
import { allocateState } from "../surface-state.ts";

/** A surface that was made elsewhere. */
export interface SentSurface {
  /** As in `SurfaceRecords`, relative to the grid's center; scalars less the colour field's offset. */
  readonly vertices: ArrayBuffer;
  readonly indices: Uint32Array;
  /** Where its parts end within which ids are unique. */
  readonly ends: readonly Capacity[];
  readonly isovalue: number | undefined;
}

/** Writes what it is given, ahead of the submission; nothing is drawn while it does not fit. */
class SentPass implements SurfacePass<SurfaceBase, SentSurface, undefined> {
  readonly name = "sent surface";
  readonly state: PooledBuffer;
  readonly checkSource = checkColor;
  readonly #queue: GPUQueue;
  #buffers: SurfaceBuffers | undefined;
  #ends: readonly Capacity[] = [];

  constructor(queue: GPUQueue, state: PooledBuffer) {
    this.#queue = queue;
    this.state = state;
  }

  checkRequest(): void {}

  isovalueOf({ isovalue }: SentSurface): number | undefined {
    return isovalue;
  }

  async createWorkspace(): Promise<undefined> {
    return undefined;
  }

  configure(_: SurfaceBase, __: undefined, buffers: SurfaceBuffers): void {
    this.#buffers = buffers;
  }

  setRequest({ vertices, indices, ends }: SentSurface): void {
    if (!this.#buffers) return;
    this.#ends = ends;
    const demand = ends.at(-1) ?? { vertices: 0, indices: 0 };
    const isWhole = fits(demand, this.#buffers.capacity);
    if (isWhole) {
      this.#queue.writeBuffer(this.#buffers.vertices.buffer, 0, vertices);
      this.#queue.writeBuffer(this.#buffers.indices.buffer, 0, indices as Uint32Array<ArrayBuffer>);
    }
    const state = Uint32Array.of(isWhole ? demand.indices : 0, 1, 0, 0, 0, demand.vertices, demand.indices);
    this.#queue.writeBuffer(this.state.buffer, 0, state);
  }

  record(): void {}

  async readParts(): Promise<readonly Capacity[]> {
    return this.#ends;
  }
}

/** Tells of any surface and any demand as if it had been extracted. */
export function createSentExtractor(
  gpu: GpuContext,
  events: SurfaceEvents = {},
): SurfaceExtractor<SurfaceBase, SentSurface> {
  const scope = gpu.scope();
  const pass = new SentPass(gpu.device.queue, allocateState(scope, "sent surface"));
  return new SurfaceExtractor<SurfaceBase, SentSurface>(gpu, scope, pass, events);
}
