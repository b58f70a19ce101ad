import type { Triple } from "../../../core/grid.ts";
import type { Plane } from "../../../core/layers.ts";
import type { GpuContext } from "../../device/context.ts";
import type { BufferScope, PooledBuffer } from "../../device/pool.ts";
import { emitShader } from "../emit-groups.ts";
import { Kernel } from "../kernel.ts";
import { planeParameters } from "../plane.ts";
import type { SurfaceBuffers } from "../surface-buffers.ts";
import { allocateState } from "../surface-state.ts";
import { Uniform } from "../uniform.ts";
import { type ClipParameters, clipParameters, clipShader, resetClipShader } from "./clip-shaders.ts";

/** Workgroups that share the triangles. */
const groups = { hardware: 2048, software: 16 };

export interface ClipKernels {
  readonly reset: Kernel;
  readonly clip: Kernel;
}

/**
 * Clips a surface by a plane: appends the vertices that it makes to the surface's own, and writes indices of its own.
 * Records kernels, submits nothing.
 */
export class ClipStage {
  /** The draw arguments of the clipped surface; see `stateWords`. */
  readonly state: PooledBuffer;
  readonly #gpu: GpuContext;
  readonly #reset: Kernel;
  readonly #clip: Kernel;
  readonly #parameters: Uniform<ClipParameters>;

  /** `scope` gets the buffers. */
  constructor(gpu: GpuContext, scope: BufferScope, { reset, clip }: ClipKernels) {
    this.#gpu = gpu;
    this.#reset = reset;
    this.#clip = clip;
    this.#parameters = new Uniform(gpu, scope, clipParameters, "parameters");
    this.state = allocateState(scope, "clip");
  }

  static async compile(gpu: GpuContext): Promise<ClipKernels> {
    const [reset, clip] = await Promise.all([
      Kernel.create(gpu, resetClipShader),
      Kernel.create(gpu, emitShader(gpu, clipShader)),
    ]);
    return { reset, clip };
  }

  /** `source` is the state of the surface, `clipped` gets the indices. */
  configure(
    source: PooledBuffer,
    { vertices, indices, capacity }: SurfaceBuffers,
    clipped: PooledBuffer,
  ): void {
    this.#parameters.set({ vertex_capacity: capacity.vertices, index_capacity: capacity.indices });
    this.#reset.bind([0, source.buffer], [1, this.state.buffer]);
    this.#clip.bind(
      [0, this.#parameters.buffer],
      [1, source.buffer],
      [2, indices.buffer],
      [3, this.state.buffer],
      [4, vertices.buffer],
      [5, clipped.buffer],
    );
  }

  /** The plane of everything submitted from now on; `center` is the grid's. */
  setPlane(plane: Plane, center: Triple): void {
    this.#parameters.set(planeParameters(plane, center));
    this.#parameters.write();
  }

  record(pass: GPUComputePassEncoder): void {
    this.#reset.dispatch(pass, 1);
    this.#clip.dispatch(pass, this.#gpu.adapter.isSoftware ? groups.software : groups.hardware);
  }
}
