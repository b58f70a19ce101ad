import type { Box } from "../../../core/box.ts";
import { CrinkleError } from "../../../core/errors.ts";
import { floorF32 } from "../../../core/floor-f32.ts";
import type { Triple } from "../../../core/grid.ts";
import { maxIsovalues } from "../../../core/layers.ts";
import { requireIsovalue } from "../../../core/marching-cubes/preconditions.ts";
import type { Topology } from "../../../core/marching-cubes/topology.ts";
import { maxInner } from "../../../core/marching-cubes/trilinear/patch.ts";
import type { Bindings } from "../../compute/bind-groups.ts";
import { BoundKernel } from "../../compute/dispatch.ts";
import { Uniform } from "../../compute/uniform.ts";
import type { GpuContext } from "../../device/context.ts";
import type { BufferScope, PooledBuffer } from "../../device/pool.ts";
import { readBytes } from "../../device/transfer.ts";
import { offsetOf, storageOf } from "../../fields/compact-field.ts";
import { type BlockIndex, createBlockIndex } from "../blocks/block-index.ts";
import { BlockRangeStage } from "../blocks/block-range-stage.ts";
import { selectThreads } from "../blocks/block-selection.ts";
import type { Capacity } from "../capacity.ts";
import { stridingGroups } from "../emit-groups.ts";
import type { CellRangeParameters } from "../part/cell-range.ts";
import type { SurfacePass } from "../surface-pass.ts";
import type { ScalarSurfaceSource } from "../surface-source.ts";
import { allocateState } from "../surface-state.ts";
import { tableWords, verticesPerTable } from "./kernels/block-table.ts";
import { endsWord, isosurfaceStateWords } from "./kernels/isosurface-state.ts";
import { type IsosurfaceParameters, parameters } from "./parameters.ts";
import { type IsosurfacePipelines, isosurfacePipelines } from "./pipelines.ts";
import { checkSource } from "./source.ts";

/** One isovalue, or up to `maxIsovalues` whose surfaces come one after the other. */
export type Isovalues = number | readonly number[];

export const listOf = (isovalues: Isovalues): readonly number[] =>
  typeof isovalues === "number" ? [isovalues] : isovalues;

/** Where vertices and indices go, and what they are found by: whole buffers or parts of them. */
export interface Emitted {
  readonly vertices: GPUBufferBinding;
  readonly indices: GPUBufferBinding;
  /** Of `workBytes`. */
  readonly work: GPUBufferBinding;
  readonly capacity: Capacity;
}

/** Of an ambiguous cell in the list. */
const openWords = 2;

/** Each ambiguous cell has two triangles at least: a list that is too short has too few indices, too. */
const openCapacity = ({ indices }: Capacity): number => Math.ceil(indices / 6);

const tableCapacity = ({ vertices }: Capacity): number => Math.floor(vertices / verticesPerTable);

/** The cells that the surface is made of, of a grid of so many nodes, where it is not made of all. */
type RangeIn = (dims: Triple) => CellRangeParameters;

/** In the order in which they are dispatched; `decide` and `inner` are those of the trilinear topology alone. */
interface Kernels {
  readonly reset: BoundKernel;
  readonly next: BoundKernel;
  readonly select: BoundKernel;
  readonly mark: BoundKernel;
  readonly vertices: BoundKernel;
  readonly decide: BoundKernel | undefined;
  readonly inner: BoundKernel | undefined;
  readonly triangles: BoundKernel;
}

/**
 * Marching cubes in four steps for an isovalue: select the blocks that it cuts; mark, which gives each cut edge a vertex,
 * whichever blocks it borders, and each triangle a place; then vertices and triangles, a thread each. For the trilinear
 * interpolant's topology, mark lists the cells that leave theirs open; in between, they are decided, and the vertices inside
 * them made.
 */
export class IsosurfacePass implements SurfacePass<ScalarSurfaceSource, Isovalues, BlockIndex> {
  readonly name = "isosurface";
  readonly state: PooledBuffer;
  readonly parameters: Uniform<IsosurfaceParameters>;
  /** The table of cases. */
  readonly cases: PooledBuffer;
  readonly #gpu: GpuContext;
  readonly #pipelines: IsosurfacePipelines;
  readonly #rangeIn: RangeIn | undefined;
  readonly #ranges: BlockRangeStage;
  #kernels: Kernels | undefined;
  #blockCount = 0;
  #fieldOffset = 0;
  #isovalueCount = 0;

  get #isExact(): boolean {
    return this.#pipelines.trilinear !== undefined;
  }

  private constructor(
    gpu: GpuContext,
    pipelines: IsosurfacePipelines,
    scope: BufferScope,
    rangeIn: RangeIn | undefined,
  ) {
    this.#gpu = gpu;
    this.#pipelines = pipelines;
    this.#rangeIn = rangeIn;
    this.#ranges = new BlockRangeStage(gpu, scope, pipelines.all.ranges);
    this.parameters = new Uniform(gpu, scope, parameters);
    const { STORAGE, COPY_DST } = GPUBufferUsage;
    const table = pipelines.cases;
    this.cases = scope.allocate("isosurface: cases", table.byteLength, STORAGE | COPY_DST);
    this.state = allocateState(scope, this.name, isosurfaceStateWords);
    gpu.device.queue.writeBuffer(this.cases.buffer, 0, table);
  }

  /** Compiles the kernels; `scope` gets the buffers. The surface is made of `cells` alone, where they are given. */
  static async create(
    gpu: GpuContext,
    scope: BufferScope,
    topology: Topology,
    cells?: Box,
  ): Promise<IsosurfacePass> {
    const pipelines = await isosurfacePipelines(gpu, topology === "trilinear", cells !== undefined);
    if (!cells) return new IsosurfacePass(gpu, pipelines, scope, undefined);
    const { cellRangeParameters } = await import("../part/part-of-cells.ts");
    return new IsosurfacePass(gpu, pipelines, scope, (dims) => cellRangeParameters(dims, cells));
  }

  checkSource(source: ScalarSurfaceSource): void {
    checkSource(source, this.#isExact ? 3 + maxInner : 3);
  }

  checkRequest(isovalues: Isovalues): void {
    const list = listOf(isovalues);
    list.forEach(requireIsovalue);
    if (list.length > 0 && list.length <= maxIsovalues) return;
    throw new CrinkleError({
      tag: "BadArgument",
      problem: `A surface was asked for at ${list.length} isovalues.`,
      remedy: `Give 1 to ${maxIsovalues}.`,
    });
  }

  isovalueOf(isovalues: Isovalues): number {
    return listOf(isovalues)[0];
  }

  createWorkspace({ tables }: ScalarSurfaceSource, scope: BufferScope): Promise<BlockIndex> {
    return createBlockIndex(this.#gpu, tables.dims, scope);
  }

  workBytes(capacity: Capacity): number {
    const listed = this.#isExact ? openWords * openCapacity(capacity) : 0;
    return 4 * (tableWords * tableCapacity(capacity) + listed);
  }

  configure(source: ScalarSurfaceSource, index: BlockIndex, surface: Emitted): void {
    const { tables, field, component = 0, color, colorComponent = 0 } = source;
    this.#fieldOffset = offsetOf(field, component);
    this.#blockCount = index.count;
    this.#ranges.configure(source, index);
    this.parameters.set({
      ...this.#rangeIn?.(tables.dims),
      dims: tables.dims,
      plane: component * field.count,
      blocks: index.dims,
      color_plane: color ? colorComponent * color.count : 0,
      axes: tables.offsets,
      to_inverse: tables.total,
      block_count: index.count,
      vertex_capacity: surface.capacity.vertices,
      index_capacity: surface.capacity.indices,
      block_capacity: tableCapacity(surface.capacity),
      storage: storageOf(field),
      first_open: tableWords * tableCapacity(surface.capacity),
      open_capacity: this.#isExact ? openCapacity(surface.capacity) : 0,
    });
    this.#kernels = this.#bind(source, index, surface);
  }

  setRequest(isovalues: Isovalues): void {
    const list = listOf(isovalues);
    this.#isovalueCount = list.length;
    this.parameters.set({
      isovalues: list.map((isovalue) => {
        const relative = isovalue - this.#fieldOffset;
        const rounded = floorF32(relative);
        return [rounded, relative - rounded, 0, 0];
      }),
    });
    this.parameters.write();
  }

  /** Finds each block's range of values. */
  recordSource(pass: GPUComputePassEncoder): void {
    this.#ranges.record(pass);
  }

  /** `finish` is recorded in place of the triangles, from whose marks and vertices it makes what it likes. */
  record(pass: GPUComputePassEncoder, finish?: (workgroups: number) => void): void {
    const kernels = this.#kernels;
    if (!kernels || this.#blockCount === 0) return;
    const groups = stridingGroups(this.#gpu, this.#blockCount);
    for (let i = 0; i < this.#isovalueCount; i++) {
      (i === 0 ? kernels.reset : kernels.next).dispatch(pass, 1);
      kernels.select.dispatch(pass, Math.ceil(this.#blockCount / selectThreads));
      kernels.mark.dispatch(pass, groups);
      // Before there are any others: these are all on edges.
      kernels.vertices.dispatch(pass, groups);
      kernels.decide?.dispatch(pass, groups);
      kernels.inner?.dispatch(pass, groups);
      if (finish) finish(groups);
      else kernels.triangles.dispatch(pass, groups);
    }
  }

  async readParts(demand: Capacity): Promise<readonly Capacity[]> {
    if (this.#isovalueCount < 2) return [demand];
    const words = new Uint32Array(
      await readBytes(this.#gpu, this.state, 4 * endsWord, 8 * (this.#isovalueCount - 1)),
    );
    const ends = Array.from({ length: words.length / 2 }, (_, i) => ({
      vertices: words[2 * i],
      indices: words[2 * i + 1],
    }));
    return [...ends, demand];
  }

  #bind(
    { tables, field, color }: ScalarSurfaceSource,
    { selection, ranges, slots }: BlockIndex,
    { vertices, indices, work }: Emitted,
  ): Kernels {
    const { all, trilinear } = this.#pipelines;
    const { parameters, cases, state } = this;
    const bind = (pipeline: GPUComputePipeline, ...bindings: Bindings) =>
      new BoundKernel(this.#gpu, pipeline, bindings);
    const marking = [parameters, field.buffer, cases, selection, state, vertices, indices, work];
    const emitting = [parameters, field.buffer, (color ?? field).buffer, tables.buffer, state, vertices];
    return {
      reset: bind(all.reset, selection, state),
      next: bind(all.next, selection, state),
      select: bind(all.select, parameters, ranges, selection, slots, state),
      mark: bind(all.mark, ...marking),
      vertices: bind(all.vertices, ...emitting),
      decide: trilinear && bind(trilinear.decide, ...marking),
      inner: trilinear && bind(trilinear.inner, ...emitting, cases),
      triangles: bind(all.triangles, parameters, cases, selection, slots, work, state, indices),
    };
  }
}
