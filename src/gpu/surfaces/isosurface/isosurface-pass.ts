import { CrinkleError } from "../../../core/errors.ts";
import { floorF32 } from "../../../core/floor-f32.ts";
import { mostIsovalues } from "../../../core/layers.ts";
import { requireIsovalue } from "../../../core/marching-cubes/preconditions.ts";
import type { Topology } from "../../../core/marching-cubes/topology.ts";
import { maxInner } from "../../../core/marching-cubes/trilinear/patch.ts";
import type { GpuContext } from "../../device/context.ts";
import type { BufferScope, PooledBuffer } from "../../device/pool.ts";
import { readBytes } from "../../device/transfer.ts";
import { offsetOf, storageOf } from "../../fields/compact-field.ts";
import { dispatchExtents } from "../../shader/dispatch.ts";
import { type BlockIndex, createBlockIndex } from "../blocks/block-index.ts";
import { blocksPerRow } from "../blocks/block-ranges.ts";
import { type Capacity, firstCapacity } from "../capacity.ts";
import type { Bindings } from "../kernel.ts";
import type { SurfacePass } from "../surface-pass.ts";
import { tableWords, verticesPerTable } from "./kernels/block-table.ts";
import { endsWord, isosurfaceStateWords } from "./kernels/isosurface-state.ts";
import { selectThreads } from "./kernels/select-blocks.ts";
import { ParameterBlock } from "./parameters.ts";
import { bind, isosurfacePipelines, type Pipelines, type Stage } from "./pipelines.ts";
import { checkSource, type IsosurfaceSource } from "./source.ts";

/** One isovalue, or up to `mostIsovalues` whose surfaces come one after the other. */
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

/** Of an open cell in the list. */
const openWords = 2;

/** Each open cell has two triangles at least: a list that is too short has too few indices, too. */
const openCapacity = ({ indices }: Capacity): number => Math.ceil(indices / 6);

const tableCapacity = ({ vertices }: Capacity): number => Math.floor(vertices / verticesPerTable);

/**
 * Marching cubes in four steps for an isovalue: select the blocks that it cuts; mark, which gives each cut edge a vertex,
 * whichever blocks it borders, and each triangle a place; then vertices and triangles, a thread each. For the trilinear
 * interpolant's topology, mark lists the cells that leave theirs open; in between, they are decided, and the vertices inside
 * them made.
 */
export class IsosurfacePass implements SurfacePass<IsosurfaceSource, Isovalues, BlockIndex> {
  readonly name = "isosurface";
  readonly state: PooledBuffer;
  /** Its parameters, and the table of cases. */
  readonly uniform: PooledBuffer;
  readonly cases: PooledBuffer;
  readonly #gpu: GpuContext;
  readonly #pipelines: Pipelines;
  readonly #parameters = new ParameterBlock();
  #groups: Readonly<Record<Stage, GPUBindGroup | undefined>> | undefined;
  #blockCount = 0;
  #rowCount = 0;
  #fieldOffset = 0;
  #isovalueCount = 0;

  get #isExact(): boolean {
    return this.#pipelines.stages.decide !== undefined;
  }

  private constructor(gpu: GpuContext, pipelines: Pipelines, scope: BufferScope) {
    this.#gpu = gpu;
    this.#pipelines = pipelines;
    const { STORAGE, UNIFORM, INDIRECT, COPY_SRC, COPY_DST } = GPUBufferUsage;
    const table = pipelines.cases;
    this.uniform = scope.allocate(
      "isosurface: parameters",
      this.#parameters.bytes.byteLength,
      UNIFORM | COPY_DST,
    );
    this.cases = scope.allocate("isosurface: cases", table.byteLength, STORAGE | COPY_DST);
    this.state = scope.allocate(
      "isosurface: draw arguments",
      isosurfaceStateWords * 4,
      STORAGE | INDIRECT | COPY_SRC | COPY_DST,
    );
    gpu.device.queue.writeBuffer(this.cases.buffer, 0, table);
  }

  /** Compiles the kernels; `scope` gets the buffers. */
  static async create(gpu: GpuContext, scope: BufferScope, topology: Topology): Promise<IsosurfacePass> {
    return new IsosurfacePass(gpu, await isosurfacePipelines(gpu, topology === "trilinear"), scope);
  }

  checkSource(source: IsosurfaceSource): void {
    checkSource(source, this.#isExact ? 3 + maxInner : 3);
  }

  checkRequest(isovalues: Isovalues): void {
    const list = listOf(isovalues);
    list.forEach(requireIsovalue);
    if (list.length > 0 && list.length <= mostIsovalues) return;
    throw new CrinkleError({
      tag: "BadArgument",
      problem: `A surface was asked for at ${list.length} isovalues.`,
      remedy: `Give 1 to ${mostIsovalues}.`,
    });
  }

  isovalueOf(isovalues: Isovalues): number {
    return listOf(isovalues)[0];
  }

  createWorkspace({ tables }: IsosurfaceSource, scope: BufferScope): Promise<BlockIndex> {
    return createBlockIndex(this.#gpu, tables.dims, scope);
  }

  firstCapacity({ tables }: IsosurfaceSource, largestBinding: number): Capacity {
    return firstCapacity(tables.dims, largestBinding);
  }

  workBytes(capacity: Capacity): number {
    const listed = this.#isExact ? openWords * openCapacity(capacity) : 0;
    return 4 * (tableWords * tableCapacity(capacity) + listed);
  }

  configure(source: IsosurfaceSource, index: BlockIndex, surface: Emitted): void {
    const { tables, field, component = 0, color, colorComponent = 0 } = source;
    this.#fieldOffset = offsetOf(field, component);
    this.#blockCount = index.count;
    this.#rowCount = Math.ceil(index.dims[0] / blocksPerRow) * index.dims[1] * index.dims[2];
    this.#parameters.set({
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
    const uniform = [0, this.uniform.buffer] as const;
    const selection = index.selection.buffer;
    const ranges = index.ranges.buffer;
    const slots = index.slots.buffer;
    const blockTables = surface.work;
    const state = this.state.buffer;
    const values = [1, field.buffer.buffer] as const;
    const cases = this.cases.buffer;
    const marking: Bindings = [
      uniform,
      values,
      [2, cases],
      [3, selection],
      [4, state],
      [5, surface.vertices],
      [6, surface.indices],
      [7, blockTables],
    ];
    const emitting: Bindings = [
      uniform,
      values,
      [2, (color?.buffer ?? field.buffer).buffer],
      [3, tables.buffer.buffer],
      [4, state],
      [5, surface.vertices],
    ];
    const group = (stage: Stage, ...buffers: Bindings) => bind(this.#gpu, this.#pipelines, stage, buffers);
    this.#groups = {
      reset: group("reset", [1, selection], [2, state]),
      next: group("next", [1, selection], [2, state]),
      ranges: group("ranges", uniform, values, [2, ranges]),
      select: group("select", uniform, [1, ranges], [2, selection], [3, slots], [4, state]),
      mark: group("mark", ...marking),
      vertices: group("vertices", ...emitting),
      decide: group("decide", ...marking),
      inner: group("inner", ...emitting, [6, cases]),
      triangles: group(
        "triangles",
        uniform,
        [1, cases],
        [2, selection],
        [3, slots],
        [4, blockTables],
        [5, state],
        [6, surface.indices],
      ),
    };
  }

  setRequest(isovalues: Isovalues): void {
    const list = listOf(isovalues);
    this.#isovalueCount = list.length;
    this.#parameters.set({
      isovalues: list.map((isovalue) => {
        const relative = isovalue - this.#fieldOffset;
        const rounded = floorF32(relative);
        return [rounded, relative - rounded, 0, 0];
      }),
    });
    this.#gpu.device.queue.writeBuffer(this.uniform.buffer, 0, this.#parameters.bytes);
  }

  /** Finds each block's range of values. */
  recordSource(pass: GPUComputePassEncoder): void {
    this.#dispatch(pass, "ranges", this.#rowCount);
  }

  /** `finish` is recorded in place of the triangles, from whose marks and vertices it makes what it likes. */
  record(pass: GPUComputePassEncoder, finish?: (workgroups: number) => void): void {
    if (this.#blockCount === 0) return;
    const groups = this.#pipelines.groups(this.#blockCount);
    for (let i = 0; i < this.#isovalueCount; i++) {
      this.#dispatch(pass, i === 0 ? "reset" : "next", 1);
      this.#dispatch(pass, "select", Math.ceil(this.#blockCount / selectThreads));
      this.#dispatch(pass, "mark", groups);
      // Before there are any others: these are all on edges.
      this.#dispatch(pass, "vertices", groups);
      this.#dispatch(pass, "decide", groups);
      this.#dispatch(pass, "inner", groups);
      if (finish) finish(groups);
      else this.#dispatch(pass, "triangles", groups);
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

  #dispatch(pass: GPUComputePassEncoder, stage: Stage, workgroups: number): void {
    const pipeline = this.#pipelines.stages[stage];
    if (!this.#groups || this.#blockCount === 0 || !pipeline) return;
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, this.#groups[stage]);
    pass.dispatchWorkgroups(...dispatchExtents(workgroups));
    this.#gpu.counters.kernels++;
  }
}
