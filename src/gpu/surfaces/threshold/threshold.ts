import type { Box } from "../../../core/box.ts";
import { checkRange, type Range, rangeInF32 } from "../../../core/closed-range.ts";
import type { Pipelines } from "../../compute/compile.ts";
import { BoundKernel } from "../../compute/dispatch.ts";
import { Uniform } from "../../compute/uniform.ts";
import type { GpuContext } from "../../device/context.ts";
import type { BufferScope, PooledBuffer } from "../../device/pool.ts";
import { offsetOf, storageOf } from "../../fields/compact-field.ts";
import { type BlockIndex, createBlockIndex } from "../blocks/block-index.ts";
import { type BlockKernels, recordBlocks } from "../blocks/block-kernels.ts";
import { BlockRangeStage } from "../blocks/block-range-stage.ts";
import { blockRangesShader } from "../blocks/block-ranges.ts";
import { resetShader } from "../blocks/block-selection.ts";
import { colorBuffer, colorParameters } from "../color-values.ts";
import { createExtractor } from "../create-extractor.ts";
import { emitShader } from "../emit-groups.ts";
import type { SurfaceExtractor } from "../extractor.ts";
import { cellRangeParameters } from "../part/cell-range.ts";
import type { SurfaceEvents } from "../surface.ts";
import type { SurfaceBuffers } from "../surface-buffers.ts";
import type { SurfacePass } from "../surface-pass.ts";
import { checkColor, requireNodeField, requireNumbers, type ScalarSurfaceSource } from "../surface-source.ts";
import { allocateState } from "../surface-state.ts";
import {
  emitThresholdShader,
  selectThresholdBlocksShader,
  type ThresholdParameters,
  thresholdParameters,
} from "./threshold-shaders.ts";

type ThresholdPipelines = Pipelines<keyof BlockKernels | "ranges">;

/** A vertex is numbered by its node and one of six directions. */
function checkSource(source: ScalarSurfaceSource): void {
  requireNodeField(source.tables, source.field, source.component ?? 0, "a threshold");
  checkColor(source);
  requireNumbers(source.tables, 6, "A threshold");
}

class ThresholdPass implements SurfacePass<ScalarSurfaceSource, Range, BlockIndex> {
  readonly name = "threshold";
  readonly state: PooledBuffer;
  readonly checkSource = checkSource;
  readonly checkRequest = checkRange;
  readonly #gpu: GpuContext;
  readonly #pipelines: ThresholdPipelines;
  readonly #ranges: BlockRangeStage;
  readonly #parameters: Uniform<ThresholdParameters>;
  readonly #cells: Box | undefined;
  #kernels: BlockKernels | undefined;
  #offset = 0;
  #blockCount = 0;

  constructor(gpu: GpuContext, scope: BufferScope, pipelines: ThresholdPipelines, cells: Box | undefined) {
    this.#gpu = gpu;
    this.#pipelines = pipelines;
    this.#cells = cells;
    this.#ranges = new BlockRangeStage(gpu, scope, pipelines.ranges);
    this.#parameters = new Uniform(gpu, scope, thresholdParameters);
    this.state = allocateState(scope, this.name);
  }

  createWorkspace({ tables }: ScalarSurfaceSource, scope: BufferScope): Promise<BlockIndex> {
    return createBlockIndex(this.#gpu, tables.dims, scope);
  }

  configure(
    source: ScalarSurfaceSource,
    index: BlockIndex,
    { vertices, indices, capacity }: SurfaceBuffers,
  ): void {
    const { tables, field, component = 0 } = source;
    const { selection } = index;
    this.#offset = offsetOf(field, component);
    this.#blockCount = index.count;
    this.#ranges.configure(source, index);
    this.#parameters.set({
      ...colorParameters(source),
      ...cellRangeParameters(tables.dims, this.#cells),
      dims: tables.dims,
      plane: component * field.count,
      storage: storageOf(field),
      axes: tables.offsets,
      blocks: index.dims,
      block_count: index.count,
      vertex_capacity: capacity.vertices,
      index_capacity: capacity.indices,
    });
    const { reset, select, emit } = this.#pipelines;
    this.#kernels = {
      reset: new BoundKernel(this.#gpu, reset, [selection, this.state]),
      select: new BoundKernel(this.#gpu, select, [this.#parameters, index.ranges, selection]),
      emit: new BoundKernel(this.#gpu, emit, [
        this.#parameters,
        field.buffer,
        colorBuffer(source),
        tables.buffer,
        selection,
        this.state,
        vertices,
        indices,
      ]),
    };
  }

  setRequest(range: Range): void {
    const [low, high] = rangeInF32(range, this.#offset);
    this.#parameters.set({ low, high });
    this.#parameters.write();
  }

  recordSource(pass: GPUComputePassEncoder): void {
    this.#ranges.record(pass);
  }

  record(pass: GPUComputePassEncoder): void {
    if (this.#kernels) recordBlocks(this.#gpu, pass, this.#kernels, this.#blockCount);
  }
}

/**
 * The outside of the cells whose eight corners all have a value in a closed range: the faces that no two such cells
 * share, flat, with the colour field's own values at their corners. Cells with a value that is not finite are none. Of
 * `cells`, a box of the grid's cells, where they are given, the faces alone, beside whatever cells are kept around them.
 */
export function createThresholdExtractor(
  gpu: GpuContext,
  events: SurfaceEvents = {},
  cells?: Box,
): Promise<SurfaceExtractor<ScalarSurfaceSource, Range>> {
  const shaders = {
    ranges: blockRangesShader,
    reset: resetShader,
    select: selectThresholdBlocksShader,
    emit: emitShader(gpu, emitThresholdShader),
  };
  return createExtractor(
    gpu,
    events,
    shaders,
    (scope, pipelines) => new ThresholdPass(gpu, scope, pipelines, cells),
  );
}
