import { orderSoup, type SoupNormals } from "../../../../core/marching-cubes/soup.ts";
import { vertexBytes } from "../../../../core/marching-cubes/surface-records.ts";
import type { Topology } from "../../../../core/marching-cubes/topology.ts";
import { compileKernels, type Pipelines } from "../../../compute/compile.ts";
import { BoundKernel } from "../../../compute/dispatch.ts";
import type { GpuContext } from "../../../device/context.ts";
import type { BufferScope, PooledBuffer } from "../../../device/pool.ts";
import type { BlockIndex } from "../../blocks/block-index.ts";
import { type Capacity, capacityFor, firstCapacity } from "../../capacity.ts";
import { emitShader } from "../../emit-groups.ts";
import type { SurfaceBuffers } from "../../surface-buffers.ts";
import type { SurfacePass } from "../../surface-pass.ts";
import type { ScalarSurfaceSource } from "../../surface-source.ts";
import { allocateState } from "../../surface-state.ts";
import { IsosurfacePass, type Isovalues } from "../isosurface-pass.ts";
import {
  alignedWords,
  cornersPerVertex,
  emitSoupShader,
  numberShader,
  numberThreads,
} from "./soup-shaders.ts";

/** Bytes of an index as marks are kept, a word each. */
const markBytes = 4;

/** What a soup with this room has for vertices on edges, and for marks. */
const markedCapacity = ({ vertices, indices }: Capacity): Capacity => ({
  vertices: Math.floor(vertices / cornersPerVertex),
  indices: 3 * Math.floor(Math.min(vertices, indices) / 3),
});

/**
 * Three vertices for each triangle, which share none. Vertices are made once an edge, as welded ones are, and copied to
 * the triangles: made in each anew they would take six times as many gradients. Indices number the vertices, once for
 * each buffer, so that soups are drawn and clipped as welded surfaces are; they may be drawn without, too.
 */
export class SoupPass implements SurfacePass<ScalarSurfaceSource, Isovalues, BlockIndex> {
  readonly name = "isosurface";
  readonly meshOf = orderSoup;
  readonly state: PooledBuffer;
  readonly #gpu: GpuContext;
  readonly #marking: IsosurfacePass;
  readonly #pipelines: Pipelines<"emit" | "number">;
  #emit: BoundKernel | undefined;
  #indices: PooledBuffer | undefined;
  #isNumbered = false;

  private constructor(
    gpu: GpuContext,
    scope: BufferScope,
    marking: IsosurfacePass,
    pipelines: Pipelines<"emit" | "number">,
  ) {
    this.#gpu = gpu;
    this.#marking = marking;
    this.#pipelines = pipelines;
    this.state = allocateState(scope, "soup");
  }

  /** Compiles the kernels; `scope` gets the buffers. */
  static async create(
    gpu: GpuContext,
    scope: BufferScope,
    normals: SoupNormals,
    topology: Topology,
  ): Promise<SoupPass> {
    const constants = {
      is_flat: normals === "flat" ? 1 : 0,
      is_exact: topology === "trilinear" ? 1 : 0,
    };
    const [marking, pipelines] = await Promise.all([
      IsosurfacePass.create(gpu, scope, topology),
      compileKernels(gpu, { emit: emitShader(gpu, { ...emitSoupShader, constants }), number: numberShader }),
    ]);
    return new SoupPass(gpu, scope, marking, pipelines);
  }

  checkSource(source: ScalarSurfaceSource): void {
    this.#marking.checkSource(source);
  }

  checkRequest(isovalues: Isovalues): void {
    this.#marking.checkRequest(isovalues);
  }

  isovalueOf(isovalues: Isovalues): number {
    return this.#marking.isovalueOf(isovalues);
  }

  createWorkspace(source: ScalarSurfaceSource, scope: BufferScope): Promise<BlockIndex> {
    return this.#marking.createWorkspace(source, scope);
  }

  firstCapacity(source: ScalarSurfaceSource, largestBinding: number): Capacity {
    const { indices } = firstCapacity(source.tables.dims, largestBinding);
    return capacityFor(indices, indices, largestBinding);
  }

  workBytes(capacity: Capacity): number {
    return this.#parts(capacity).bytes;
  }

  configure(source: ScalarSurfaceSource, index: BlockIndex, surface: SurfaceBuffers): void {
    const { tables, marks, vertices, capacity } = this.#parts(surface.capacity);
    const { buffer } = surface.work;
    this.#marking.configure(source, index, {
      vertices: { buffer, ...vertices },
      indices: { buffer, ...marks },
      work: { buffer, ...tables },
      capacity,
    });
    const { parameters, cases, state } = this.#marking;
    this.#emit = new BoundKernel(this.#gpu, this.#pipelines.emit, [
      parameters,
      cases,
      index.selection,
      index.slots,
      { buffer, offset: 0, size: marks.offset + marks.size },
      state,
      { buffer, ...vertices },
      this.state,
      surface.vertices,
    ]);
    if (surface.indices === this.#indices) return;
    this.#indices = surface.indices;
    this.#isNumbered = false;
  }

  setRequest(isovalues: Isovalues): void {
    this.#marking.setRequest(isovalues);
  }

  recordSource(pass: GPUComputePassEncoder): void {
    this.#marking.recordSource(pass);
  }

  record(pass: GPUComputePassEncoder): void {
    if (!this.#isNumbered && this.#indices) {
      const number = new BoundKernel(this.#gpu, this.#pipelines.number, [this.#indices]);
      number.dispatch(pass, Math.ceil(this.#indices.size / 4 / numberThreads));
      this.#isNumbered = true;
    }
    this.#marking.record(pass, (workgroups) => this.#emit?.dispatch(pass, workgroups));
  }

  async readParts(demand: Capacity): Promise<readonly Capacity[]> {
    const parts = await this.#marking.readParts(demand);
    return parts.map(({ indices }) => ({ vertices: indices, indices }));
  }

  /** What marking needs, the marks and the vertices on edges: the parts of one buffer. */
  #parts(room: Capacity) {
    const capacity = markedCapacity(room);
    const aligned = (bytes: number) => Math.ceil(bytes / (4 * alignedWords)) * 4 * alignedWords;
    // A part is never empty.
    const tables = { offset: 0, size: Math.max(4, this.#marking.workBytes(capacity)) };
    const marks = { offset: aligned(tables.size), size: markBytes * capacity.indices };
    const vertices = { offset: aligned(marks.offset + marks.size), size: vertexBytes * capacity.vertices };
    return { tables, marks, vertices, capacity, bytes: vertices.offset + vertices.size };
  }
}
