import { BoundKernel } from "../../compute/dispatch.ts";
import { Uniform } from "../../compute/uniform.ts";
import type { GpuContext } from "../../device/context.ts";
import type { BufferScope } from "../../device/pool.ts";
import { storageOf } from "../../fields/compact-field.ts";
import type { ScalarSurfaceSource } from "../surface-source.ts";
import type { BlockIndex } from "./block-index.ts";
import { type BlockRangeParameters, blockRangeParameters, blocksPerRow } from "./block-ranges.ts";

/** Finds the range of a field's values in each block: once a field. Records a kernel, submits nothing. */
export class BlockRangeStage {
  readonly #gpu: GpuContext;
  readonly #pipeline: GPUComputePipeline;
  readonly #parameters: Uniform<BlockRangeParameters>;
  #kernel: BoundKernel | undefined;
  #rowCount = 0;

  /** `pipeline` is of `blockRangesShader`; `scope` gets the buffer. */
  constructor(gpu: GpuContext, scope: BufferScope, pipeline: GPUComputePipeline) {
    this.#gpu = gpu;
    this.#pipeline = pipeline;
    this.#parameters = new Uniform(gpu, scope, blockRangeParameters);
  }

  configure(
    { tables, field, component = 0 }: ScalarSurfaceSource,
    { dims: blocks, ranges }: BlockIndex,
  ): void {
    this.#rowCount = Math.ceil(blocks[0] / blocksPerRow) * blocks[1] * blocks[2];
    this.#parameters.set({
      dims: tables.dims,
      plane: component * field.count,
      blocks,
      storage: storageOf(field),
    });
    this.#parameters.write();
    this.#kernel = new BoundKernel(this.#gpu, this.#pipeline, [this.#parameters, field.buffer, ranges]);
  }

  record(pass: GPUComputePassEncoder): void {
    this.#kernel?.dispatch(pass, this.#rowCount);
  }
}
