import { requireIsovalue } from "../../../core/marching-cubes/preconditions.ts";
import type { GpuContext } from "../../device/context.ts";
import type { BufferScope, PooledBuffer } from "../../device/pool.ts";
import { type Capacity, firstCapacity } from "../surface/capacity.ts";
import { SurfaceExtractor } from "../surface/extractor.ts";
import type { SurfaceEvents } from "../surface/surface.ts";
import type { SurfaceBuffers } from "../surface/surface-buffers.ts";
import type { SurfacePass } from "../surface/surface-pass.ts";
import { type BlockIndex, createBlockIndex } from "./block-index.ts";
import { IsosurfacePass } from "./isosurface-pass.ts";
import { checkSource, type SurfaceSource } from "./source.ts";

class Isosurface implements SurfacePass<SurfaceSource, number, BlockIndex> {
  readonly name = "isosurface";
  readonly checkSource = checkSource;
  readonly checkRequest = requireIsovalue;
  readonly #gpu: GpuContext;
  readonly #kernels: IsosurfacePass;

  constructor(gpu: GpuContext, kernels: IsosurfacePass) {
    this.#gpu = gpu;
    this.#kernels = kernels;
  }

  get state(): PooledBuffer {
    return this.#kernels.state;
  }

  isovalueOf(isovalue: number): number {
    return isovalue;
  }

  createWorkspace({ tables }: SurfaceSource, scope: BufferScope): Promise<BlockIndex> {
    return createBlockIndex(this.#gpu, tables.dims, scope);
  }

  firstCapacity({ tables }: SurfaceSource, largestBinding: number): Capacity {
    return firstCapacity(tables.dims, largestBinding);
  }

  configure(source: SurfaceSource, index: BlockIndex, surface: SurfaceBuffers): void {
    this.#kernels.configure(source, index, surface);
  }

  setRequest(isovalue: number): void {
    this.#kernels.setIsovalue(isovalue);
  }

  recordSource(pass: GPUComputePassEncoder): void {
    this.#kernels.recordRanges(pass);
  }

  record(pass: GPUComputePassEncoder): void {
    this.#kernels.recordSurface(pass);
  }
}

/** Marching cubes on the GPU for one surface whose isovalue changes often. */
export class IsosurfaceExtractor extends SurfaceExtractor<SurfaceSource, number, BlockIndex> {
  static async create(gpu: GpuContext, events: SurfaceEvents = {}): Promise<IsosurfaceExtractor> {
    const scope = gpu.scope();
    const kernels = await IsosurfacePass.create(gpu, scope);
    return new IsosurfaceExtractor(gpu, scope, new Isosurface(gpu, kernels), events);
  }
}
