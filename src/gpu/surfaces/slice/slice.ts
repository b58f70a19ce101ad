import type { Box } from "../../../core/box.ts";
import { type Grid, nodeCoordinates } from "../../../core/grid.ts";
import { checkSlice, isSliceOf, type SliceRequest, slicePlace } from "../../../core/slice-place.ts";
import { BoundKernel } from "../../compute/dispatch.ts";
import { Uniform } from "../../compute/uniform.ts";
import type { GpuContext } from "../../device/context.ts";
import type { BufferScope, PooledBuffer } from "../../device/pool.ts";
import { type Capacity, capacityFor } from "../capacity.ts";
import { colorBuffer, colorParameters } from "../color-values.ts";
import { createExtractor } from "../create-extractor.ts";
import type { SurfaceExtractor } from "../extractor.ts";
import { type CellRangeParameters, cellRangeParameters } from "../part/cell-range.ts";
import type { SurfaceEvents } from "../surface.ts";
import type { SurfaceBuffers } from "../surface-buffers.ts";
import type { SurfacePass } from "../surface-pass.ts";
import { checkColor, requireNumbers, type SurfaceBase } from "../surface-source.ts";
import { allocateState } from "../surface-state.ts";
import { type SliceParameters, sliceParameters, sliceShader, sliceThreads } from "./slice-shader.ts";

export interface SliceSource extends SurfaceBase {
  readonly grid: Grid;
}

class SlicePass implements SurfacePass<SliceSource, SliceRequest, undefined> {
  readonly name = "slice";
  readonly state: PooledBuffer;
  readonly #gpu: GpuContext;
  readonly #pipeline: GPUComputePipeline;
  readonly #parameters: Uniform<SliceParameters>;
  #kernel: BoundKernel | undefined;
  #source: SliceSource | undefined;
  #coordinates: readonly Float64Array[] = [];
  #vertices = 0;
  readonly #cells: Box | undefined;
  #range: CellRangeParameters = cellRangeParameters([1, 1, 1], undefined);

  constructor(gpu: GpuContext, scope: BufferScope, pipeline: GPUComputePipeline, cells: Box | undefined) {
    this.#gpu = gpu;
    this.#pipeline = pipeline;
    this.#cells = cells;
    this.#parameters = new Uniform(gpu, scope, sliceParameters);
    this.state = allocateState(scope, this.name);
  }

  checkSource(source: SliceSource): void {
    checkColor(source);
    requireNumbers(source.tables, 3, "A slice");
  }

  checkRequest(request: SliceRequest): void {
    checkSlice(request);
  }

  async createWorkspace(): Promise<undefined> {
    return undefined;
  }

  /** The largest slice of any axis. */
  firstCapacity({ tables }: SliceSource, largestBinding: number): Capacity {
    const [nx, ny, nz] = tables.dims;
    const vertices = Math.max(nx * ny, ny * nz, nz * nx);
    return capacityFor(vertices, 6 * vertices, largestBinding);
  }

  configure(source: SliceSource, _: undefined, { vertices, indices, capacity }: SurfaceBuffers): void {
    const { tables, grid } = source;
    if (this.#source?.grid !== grid) this.#coordinates = [0, 1, 2].map((axis) => nodeCoordinates(grid, axis));
    this.#source = source;
    this.#range = cellRangeParameters(tables.dims, this.#cells);
    this.#parameters.set({
      ...colorParameters(source),
      ...this.#range,
      dims: tables.dims,
      axes: tables.offsets,
      vertex_capacity: capacity.vertices,
      index_capacity: capacity.indices,
    });
    this.#kernel = new BoundKernel(this.#gpu, this.#pipeline, [
      this.#parameters,
      colorBuffer(source),
      tables.buffer,
      this.state,
      vertices,
      indices,
    ]);
  }

  setRequest({ axis, position }: SliceRequest): void {
    if (!this.#source) return;
    const { dims, center } = this.#source.tables;
    const { first_cell: first, cell_counts: counts } = this.#range;
    const place = slicePlace(this.#coordinates[axis], position);
    const end = first[axis] + Math.max(counts[axis], 1);
    const isInside = place !== undefined && isSliceOf(place, first[axis], end, dims[axis]);
    this.#vertices = counts.reduce((product, n, along) => (along === axis ? product : product * (n + 1)), 1);
    this.#parameters.set({
      axis,
      position: position - center[axis],
      plane: place?.index ?? 0,
      t: place?.t ?? 0,
      is_inside: isInside ? 1 : 0,
    });
    this.#parameters.write();
  }

  record(pass: GPUComputePassEncoder): void {
    this.#kernel?.dispatch(pass, Math.ceil(this.#vertices / sliceThreads));
  }
}

/**
 * Planes across the grid's axes: a vertex on each grid line, its colour between those of two nodes (a node's own
 * exactly where the plane goes through it), two triangles a cell. Empty beyond the grid's bounds. A box of the grid's cells
 * is sliced alone, where one is given; a plane of nodes belongs to the cells above it, the last one to those below.
 */
export function createSliceExtractor(
  gpu: GpuContext,
  events: SurfaceEvents = {},
  cells?: Box,
): Promise<SurfaceExtractor<SliceSource, SliceRequest>> {
  return createExtractor(
    gpu,
    events,
    { slice: sliceShader },
    (scope, { slice }) => new SlicePass(gpu, scope, slice, cells),
  );
}
