import { orderSoup, type SoupNormals } from "../../../../core/marching-cubes/soup.ts";
import { vertexBytes } from "../../../../core/marching-cubes/surface-records.ts";
import type { Topology } from "../../../../core/marching-cubes/topology.ts";
import type { GpuContext } from "../../../device/context.ts";
import type { BufferScope, PooledBuffer } from "../../../device/pool.ts";
import type { BlockIndex } from "../../blocks/block-index.ts";
import { type Capacity, capacityFor } from "../../capacity.ts";
import { emitShader } from "../../emit-groups.ts";
import { Kernel } from "../../kernel.ts";
import type { SurfaceBuffers } from "../../surface-buffers.ts";
import type { SurfacePass } from "../../surface-pass.ts";
import { allocateState } from "../../surface-state.ts";
import { IsosurfacePass, type Isovalues } from "../isosurface-pass.ts";
import type { IsosurfaceSource } from "../source.ts";
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
export class SoupPass implements SurfacePass<IsosurfaceSource, Isovalues, BlockIndex> {
  readonly name = "isosurface";
  readonly meshOf = orderSoup;
  readonly state: PooledBuffer;
  readonly #marking: IsosurfacePass;
  readonly #emit: Kernel;
  readonly #number: Kernel;
  #indices: PooledBuffer | undefined;
  #isNumbered = false;

  private constructor(marking: IsosurfacePass, emit: Kernel, number: Kernel, scope: BufferScope) {
    this.#marking = marking;
    this.#emit = emit;
    this.#number = number;
    this.state = allocateState(scope, "soup");
  }

  /** Compiles the kernels; `scope` gets the buffers. */
  static async create(
    gpu: GpuContext,
    scope: BufferScope,
    normals: SoupNormals,
    topology: Topology,
  ): Promise<SoupPass> {
    const shader = emitShader(gpu, emitSoupShader);
    const constants = {
      ...shader.constants,
      is_flat: normals === "flat" ? 1 : 0,
      is_exact: topology === "trilinear" ? 1 : 0,
    };
    const [marking, emit, number] = await Promise.all([
      IsosurfacePass.create(gpu, scope, topology),
      Kernel.create(gpu, { ...shader, constants }),
      Kernel.create(gpu, numberShader),
    ]);
    return new SoupPass(marking, emit, number, scope);
  }

  checkSource(source: IsosurfaceSource): void {
    this.#marking.checkSource(source);
  }

  checkRequest(isovalues: Isovalues): void {
    this.#marking.checkRequest(isovalues);
  }

  isovalueOf(isovalues: Isovalues): number {
    return this.#marking.isovalueOf(isovalues);
  }

  createWorkspace(source: IsosurfaceSource, scope: BufferScope): Promise<BlockIndex> {
    return this.#marking.createWorkspace(source, scope);
  }

  firstCapacity(source: IsosurfaceSource, largestBinding: number): Capacity {
    const { indices } = this.#marking.firstCapacity(source, largestBinding);
    return capacityFor(indices, indices, largestBinding);
  }

  workBytes(capacity: Capacity): number {
    return this.#parts(capacity).bytes;
  }

  configure(source: IsosurfaceSource, index: BlockIndex, surface: SurfaceBuffers): void {
    const { tables, marks, vertices, capacity } = this.#parts(surface.capacity);
    const { buffer } = surface.work;
    this.#marking.configure(source, index, {
      vertices: { buffer, ...vertices },
      indices: { buffer, ...marks },
      work: { buffer, ...tables },
      capacity,
    });
    this.#emit.bind(
      [0, this.#marking.uniform.buffer],
      [1, this.#marking.cases.buffer],
      [2, index.selection.buffer],
      [3, index.slots.buffer],
      [4, { buffer, offset: 0, size: marks.offset + marks.size }],
      [5, this.#marking.state.buffer],
      [6, { buffer, ...vertices }],
      [7, this.state.buffer],
      [8, surface.vertices.buffer],
    );
    if (surface.indices === this.#indices) return;
    this.#number.bind([0, surface.indices.buffer]);
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
      this.#number.dispatch(pass, Math.ceil(this.#indices.size / 4 / numberThreads));
      this.#isNumbered = true;
    }
    this.#marking.record(pass, (workgroups) => this.#emit.dispatch(pass, workgroups));
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
