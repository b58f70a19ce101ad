import type { Triple } from "../../../core/grid.ts";
import type { Plane } from "../../../core/layers.ts";
import { compileKernels, type Pipelines } from "../../compute/compile.ts";
import { BoundKernel } from "../../compute/dispatch.ts";
import { Uniform } from "../../compute/uniform.ts";
import type { GpuContext } from "../../device/context.ts";
import type { BufferScope, PooledBuffer } from "../../device/pool.ts";
import { emitShader } from "../emit-groups.ts";
import { planeParameters } from "../plane.ts";
import type { SurfaceBuffers } from "../surface-buffers.ts";
import { allocateState } from "../surface-state.ts";
import { type ClipParameters, clipParameters, clipShader, resetClipShader } from "./clip-shaders.ts";

/** Workgroups that share the triangles. */
const groups = { hardware: 2048, software: 16 };

export type ClipPipelines = Pipelines<"reset" | "clip">;

/**
 * Clips a surface by a plane: appends the vertices that it makes to the surface's own, and writes indices of its own.
 * Records kernels, submits nothing.
 */
export class ClipStage {
  /** The draw arguments of the clipped surface; see `stateWords`. */
  readonly state: PooledBuffer;
  readonly #gpu: GpuContext;
  readonly #pipelines: ClipPipelines;
  readonly #parameters: Uniform<ClipParameters>;
  #reset: BoundKernel | undefined;
  #clip: BoundKernel | undefined;

  /** `scope` gets the buffers. */
  constructor(gpu: GpuContext, scope: BufferScope, pipelines: ClipPipelines) {
    this.#gpu = gpu;
    this.#pipelines = pipelines;
    this.#parameters = new Uniform(gpu, scope, clipParameters);
    this.state = allocateState(scope, "clip");
  }

  static compile(gpu: GpuContext): Promise<ClipPipelines> {
    return compileKernels(gpu, { reset: resetClipShader, clip: emitShader(gpu, clipShader) });
  }

  /** `source` is the state of the surface, `clipped` gets the indices. */
  configure(
    source: PooledBuffer,
    { vertices, indices, capacity }: SurfaceBuffers,
    clipped: PooledBuffer,
  ): void {
    this.#parameters.set({ vertex_capacity: capacity.vertices, index_capacity: capacity.indices });
    const { reset, clip } = this.#pipelines;
    this.#reset = new BoundKernel(this.#gpu, reset, [source, this.state]);
    this.#clip = new BoundKernel(this.#gpu, clip, [
      this.#parameters,
      source,
      indices,
      this.state,
      vertices,
      clipped,
    ]);
  }

  /** The plane of everything submitted from now on; `center` is the grid's. */
  setPlane(plane: Plane, center: Triple): void {
    this.#parameters.set(planeParameters(plane, center));
    this.#parameters.write();
  }

  record(pass: GPUComputePassEncoder): void {
    this.#reset?.dispatch(pass, 1);
    this.#clip?.dispatch(pass, this.#gpu.adapter.isSoftware ? groups.software : groups.hardware);
  }
}
