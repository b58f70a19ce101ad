import { checkRange, type Range, rangeInF32 } from "../../../core/closed-range.ts";
import type { GpuContext } from "../../device/context.ts";
import type { BufferScope, PooledBuffer } from "../../device/pool.ts";
import { offsetOf, storageOf } from "../../fields/compact-field.ts";
import { type BlockIndex, createBlockIndex } from "../blocks/block-index.ts";
import { blockRangesShader, blocksPerRow } from "../blocks/block-ranges.ts";
import { resetShader } from "../blocks/block-selection.ts";
import { type Capacity, firstCapacity } from "../capacity.ts";
import { colorBuffer, colorParameters } from "../color-values.ts";
import { emitGroups, emitShader } from "../emit-groups.ts";
import { SurfaceExtractor } from "../extractor.ts";
import { type ParameterValues, parameters as rangeParameters } from "../isosurface/parameters.ts";
import type { IsosurfaceSource } from "../isosurface/source.ts";
import { Kernel } from "../kernel.ts";
import type { SurfaceEvents } from "../surface.ts";
import type { SurfaceBuffers } from "../surface-buffers.ts";
import type { SurfacePass } from "../surface-pass.ts";
import { checkColor, requireNodeField, requireNumbers } from "../surface-source.ts";
import { allocateState } from "../surface-state.ts";
import { Uniform } from "../uniform.ts";
import {
  emitThresholdShader,
  selectThreads,
  selectThresholdBlocksShader,
  type ThresholdParameters,
  thresholdParameters,
} from "./threshold-shaders.ts";

interface Kernels {
  readonly ranges: Kernel;
  readonly reset: Kernel;
  readonly select: Kernel;
  readonly emit: Kernel;
}

/** A vertex is numbered by its node and one of six directions. */
function checkSource(source: IsosurfaceSource): void {
  requireNodeField(source.tables, source.field, source.component ?? 0, "a threshold");
  checkColor(source);
  requireNumbers(source.tables, 6, "A threshold");
}

class ThresholdPass implements SurfacePass<IsosurfaceSource, Range, BlockIndex> {
  readonly name = "threshold";
  readonly state: PooledBuffer;
  readonly checkSource = checkSource;
  readonly checkRequest = checkRange;
  readonly #gpu: GpuContext;
  readonly #kernels: Kernels;
  readonly #parameters: Uniform<ThresholdParameters>;
  readonly #rangeParameters: Uniform<ParameterValues>;
  #offset = 0;
  #blockCount = 0;
  #rowCount = 0;

  constructor(gpu: GpuContext, scope: BufferScope, kernels: Kernels) {
    this.#gpu = gpu;
    this.#kernels = kernels;
    this.#parameters = new Uniform(gpu, scope, thresholdParameters, "parameters");
    this.#rangeParameters = new Uniform(gpu, scope, rangeParameters, "parameters");
    this.state = allocateState(scope, this.name);
  }

  isovalueOf(): undefined {
    return undefined;
  }

  createWorkspace({ tables }: IsosurfaceSource, scope: BufferScope): Promise<BlockIndex> {
    return createBlockIndex(this.#gpu, tables.dims, scope);
  }

  firstCapacity({ tables }: IsosurfaceSource, largestBinding: number): Capacity {
    return firstCapacity(tables.dims, largestBinding);
  }

  configure(
    source: IsosurfaceSource,
    { dims: blocks, count, ranges, selection }: BlockIndex,
    { vertices, indices, capacity }: SurfaceBuffers,
  ): void {
    const { tables, field, component = 0 } = source;
    const plane = component * field.count;
    this.#offset = offsetOf(field, component);
    const storage = storageOf(field);
    this.#blockCount = count;
    this.#rowCount = Math.ceil(blocks[0] / blocksPerRow) * blocks[1] * blocks[2];
    this.#rangeParameters.set({ dims: tables.dims, plane, blocks, storage });
    this.#rangeParameters.write();
    this.#parameters.set({
      ...colorParameters(source),
      dims: tables.dims,
      plane,
      storage,
      axes: tables.offsets,
      blocks,
      block_count: count,
      vertex_capacity: capacity.vertices,
      index_capacity: capacity.indices,
    });
    const uniform = [0, this.#parameters.buffer] as const;
    const values = [1, field.buffer.buffer] as const;
    const listed = selection.buffer;
    this.#kernels.ranges.bind([0, this.#rangeParameters.buffer], values, [2, ranges.buffer]);
    this.#kernels.reset.bind([0, listed], [1, this.state.buffer]);
    this.#kernels.select.bind(uniform, [1, ranges.buffer], [2, listed]);
    this.#kernels.emit.bind(
      uniform,
      values,
      [2, colorBuffer(source)],
      [3, tables.buffer.buffer],
      [4, listed],
      [5, this.state.buffer],
      [6, vertices.buffer],
      [7, indices.buffer],
    );
  }

  setRequest(range: Range): void {
    const [low, high] = rangeInF32(range, this.#offset);
    this.#parameters.set({ low, high });
    this.#parameters.write();
  }

  recordSource(pass: GPUComputePassEncoder): void {
    this.#kernels.ranges.dispatch(pass, this.#rowCount);
  }

  record(pass: GPUComputePassEncoder): void {
    this.#kernels.reset.dispatch(pass, 1);
    this.#kernels.select.dispatch(pass, Math.ceil(this.#blockCount / selectThreads));
    this.#kernels.emit.dispatch(pass, emitGroups(this.#gpu, this.#blockCount));
  }
}

/**
 * The outside of the cells whose eight corners all have a value in a closed range: the faces that no two such cells
 * share, flat, with the colour field's own values at their corners. Cells with a value that is not finite are none.
 */
export async function createThresholdExtractor(
  gpu: GpuContext,
  events: SurfaceEvents = {},
): Promise<SurfaceExtractor<IsosurfaceSource, Range>> {
  const [ranges, reset, select, emit] = await Promise.all([
    Kernel.create(gpu, blockRangesShader),
    Kernel.create(gpu, resetShader),
    Kernel.create(gpu, selectThresholdBlocksShader),
    Kernel.create(gpu, emitShader(gpu, emitThresholdShader)),
  ]);
  const scope = gpu.scope();
  const kernels = { ranges, reset, select, emit };
  return new SurfaceExtractor<IsosurfaceSource, Range>(
    gpu,
    scope,
    new ThresholdPass(gpu, scope, kernels),
    events,
  );
}
