import { CrinkleError, cancelled } from "../../../core/errors.ts";
import { formatCount } from "../../../core/format.ts";
import type { Triple } from "../../../core/grid.ts";
import { requireIsovalue } from "../../../core/marching-cubes/preconditions.ts";
import type { TriangleMesh } from "../../../core/mesh.ts";
import type { GpuContext } from "../../device/context.ts";
import type { BufferScope } from "../../device/pool.ts";
import type { GpuField } from "../../fields/gpu-field.ts";
import { type BlockIndex, createBlockIndex } from "./block-index.ts";
import { type Capacity, firstCapacity, fits, grownCapacity } from "./capacity.ts";
import { CountReader } from "./count-reader.ts";
import { IsosurfacePass } from "./isosurface-pass.ts";
import { readMesh, scalarOffset } from "./read-mesh.ts";
import { prepareScalarRange, scalarRange } from "./scalar-range.ts";
import { checkSource, type SurfaceSource } from "./source.ts";
import { allocateSurface, releaseSurface, type SurfaceBuffers } from "./surface-buffers.ts";

/** What a renderer draws from. Valid until `onBuffers` gives others; the extractor owns the buffers. */
export interface DrawableSurface {
  /** 32 bytes a vertex: position (3 f32, relative to `center`), normal (3 f32), scalar (f32), grid edge (u32). */
  readonly vertices: GPUBuffer;
  /** u32, three a triangle. */
  readonly indices: GPUBuffer;
  /** The five words of an indexed indirect draw, at offset 0. */
  readonly draw: GPUBuffer;
  readonly center: Triple;
  /** The colour field's value is the vertex's scalar plus this. */
  readonly scalarOffset: number;
}

export interface SurfaceCounts {
  readonly isovalue: number;
  readonly triangles: number;
  /** As drawn: vertices on block borders count once for each block; `readMesh` welds them. */
  readonly vertices: number;
  /** Whether the surface is larger than the GPU's buffers may be, and is drawn in part. */
  readonly isTruncated: boolean;
}

export interface SurfaceEvents {
  /** Other buffers are to be drawn from; the former are destroyed when the call returns. */
  onBuffers?(surface: DrawableSurface): void;
  /** The counts of the latest extraction, some time after it; in-between ones of a drag are left out. */
  onCounts?(counts: SurfaceCounts): void;
  /** A fault while counting or growing: OutOfMemory, DeviceLost. */
  onError?(error: unknown): void;
}

interface Prepared {
  source: SurfaceSource;
  readonly index: BlockIndex;
  readonly indexScope: BufferScope;
  surface: SurfaceBuffers;
}

/**
 * Marching cubes on the GPU for one surface whose isovalue changes often. Positions, normals, scalars, indices and
 * the draw's arguments stay on the GPU, and an extraction is one submit that nothing waits for. Buffers that prove
 * too small are replaced and filled anew once the counts have come back; until then the surface is drawn in part.
 */
export class IsosurfaceExtractor {
  readonly #gpu: GpuContext;
  readonly #scope: BufferScope;
  readonly #pass: IsosurfacePass;
  readonly #counter: CountReader;
  readonly #events: SurfaceEvents;
  #prepared: Prepared | undefined;
  #isovalue = Number.NaN;
  #rangesAreDue = false;
  /** Numbers of the latest setSource, the latest submitted extraction, and the latest counted one. */
  #change = 0;
  #submitted = 0;
  #counted = 0;
  #demand: Capacity = { vertices: 0, indices: 0 };
  #cannotGrow = false;
  #fault: unknown;
  #settling: Promise<void> | undefined;
  #isSuspended = false;
  #isDisposed = false;

  private constructor(gpu: GpuContext, scope: BufferScope, pass: IsosurfacePass, events: SurfaceEvents) {
    this.#gpu = gpu;
    this.#scope = scope;
    this.#pass = pass;
    this.#counter = new CountReader(gpu, scope);
    this.#events = events;
  }

  static async create(gpu: GpuContext, events: SurfaceEvents = {}): Promise<IsosurfaceExtractor> {
    const scope = gpu.scope();
    return new IsosurfaceExtractor(gpu, scope, await IsosurfacePass.create(gpu, scope), events);
  }

  /** What to draw from; undefined before the first `setSource`. */
  get drawable(): DrawableSurface | undefined {
    if (!this.#prepared) return undefined;
    const { source, surface } = this.#prepared;
    return {
      vertices: surface.vertices.buffer,
      indices: surface.indices.buffer,
      draw: this.#pass.state.buffer,
      center: source.tables.center,
      scalarOffset: scalarOffset(source),
    };
  }

  /**
   * Chooses the fields; draws nothing until the next `extract`. Call it again where a field's values have changed
   * in place. Buffers are kept between fields of equal extents. A grid that is flat in some direction gives empty
   * surfaces (`whyNoSurface` says why). Throws BadArgument, TooLarge, OutOfMemory; the former source then stays.
   */
  async setSource(source: SurfaceSource): Promise<void> {
    checkSource(source);
    const change = ++this.#change;
    const dims = source.field.dims;
    const former = this.#prepared;
    if (former && dims.every((n, axis) => n === former.source.field.dims[axis])) {
      this.#use({ ...former, source });
      return;
    }
    const indexScope = this.#gpu.scope();
    try {
      const index = await createBlockIndex(this.#gpu, dims, indexScope);
      const capacity = firstCapacity(dims, this.#gpu.pool.largestBinding);
      const surface = await allocateSurface(this.#gpu, capacity);
      if (change !== this.#change || this.#isDisposed) {
        releaseSurface(surface);
        indexScope.release();
        return;
      }
      const replaced = this.#prepared;
      this.#use({ source, index, indexScope, surface });
      if (this.drawable) this.#events.onBuffers?.(this.drawable);
      if (replaced) release(replaced);
    } catch (error) {
      indexScope.release();
      throw error;
    }
  }

  /** Changes what colours the surface; it shows from the next `extract` on. Throws BadArgument. */
  setColor(color: GpuField | undefined, colorComponent = 0): void {
    const prepared = this.#required();
    const source = { ...prepared.source, color, colorComponent };
    checkSource(source);
    prepared.source = source;
    this.#pass.configure(source, prepared.index, prepared.surface);
  }

  /**
   * Submits the extraction of an isovalue and returns at once: draws submitted later show it. Counts follow, and
   * where the buffers were too small, new ones that hold the whole surface. Ends a suspension. Throws BadArgument.
   */
  extract(isovalue: number, timestampWrites?: GPUComputePassTimestampWrites): void {
    requireIsovalue(isovalue);
    this.#required();
    this.#isovalue = isovalue;
    this.#fault = undefined;
    this.#submit(timestampWrites);
    this.resume();
  }

  /**
   * From now on nothing is submitted that reads the source's fields, so that they may be released: the surface
   * stays as it is drawn, in part where its buffers were about to grow. `setSource` and `extract` end it, too.
   */
  suspend(): void {
    this.#isSuspended = true;
  }

  /** The source's fields are as they were: what `suspend` put off goes on. */
  resume(): void {
    this.#isSuspended = false;
    if (this.#counted !== this.#submitted) this.#settling ??= this.#settle();
  }

  /**
   * Records extractions of the isovalue last given to `extract` into the caller's pass, for timing: they overwrite
   * each other, and are not counted.
   */
  record(pass: GPUComputePassEncoder, times = 1): void {
    this.#required();
    for (let i = 0; i < times; i++) this.#pass.recordSurface(pass);
  }

  /** The counts of the latest extraction, once its buffers hold it. Throws OutOfMemory, DeviceLost, Cancelled. */
  async counts(): Promise<SurfaceCounts> {
    while (this.#settling) await this.#settling;
    if (this.#fault) throw this.#fault;
    if (this.#counted !== this.#submitted) throw cancelled("The isosurface");
    return this.#latestCounts();
  }

  /**
   * Copies the surface of the latest extraction back, in physical units and welded: equal fields and isovalues give
   * equal meshes. Throws TooLarge where the GPU cannot hold the surface whole; else as `counts`.
   */
  async readMesh(): Promise<TriangleMesh> {
    const { triangles, isTruncated } = await this.counts();
    const { source, surface } = this.#required();
    if (isTruncated) {
      throw new CrinkleError({
        tag: "TooLarge",
        problem: `The surface has ${formatCount(triangles)} triangles, more than this GPU's buffers hold.`,
        remedy: "Choose another isovalue, or a part of the data.",
      });
    }
    return readMesh(this.#gpu, source, surface, this.#demand);
  }

  /**
   * The range of the colour field over the surface of the latest extraction, without the share `tail` of its
   * vertices at either end; undefined where none has a finite colour. Throws as `counts`.
   */
  async readScalarRange(tail: number): Promise<readonly [number, number] | undefined> {
    const pipeline = await prepareScalarRange(this.#gpu);
    const { vertices } = await this.counts();
    const { source, surface } = this.#required();
    const count = Math.min(vertices, surface.capacity.vertices);
    return scalarRange(this.#gpu, pipeline, surface, count, scalarOffset(source), tail);
  }

  dispose(): void {
    this.#isDisposed = true;
    if (this.#prepared) release(this.#prepared);
    this.#prepared = undefined;
    this.#scope.release();
  }

  #required(): Prepared {
    if (this.#prepared) return this.#prepared;
    throw new CrinkleError({
      tag: "BadArgument",
      problem: "The isosurface has no field.",
      remedy: "Choose the field to contour first.",
    });
  }

  #latestCounts(): SurfaceCounts {
    return {
      isovalue: this.#isovalue,
      triangles: this.#demand.indices / 3,
      vertices: this.#demand.vertices,
      isTruncated: this.#prepared ? !fits(this.#demand, this.#prepared.surface.capacity) : false,
    };
  }

  #use(prepared: Prepared): void {
    this.#isSuspended = false;
    this.#prepared = prepared;
    this.#pass.configure(prepared.source, prepared.index, prepared.surface);
    this.#pass.clear();
    this.#rangesAreDue = true;
    this.#cannotGrow = false;
    this.#demand = { vertices: 0, indices: 0 };
    this.#counted = this.#submitted;
  }

  #submit(timestampWrites?: GPUComputePassTimestampWrites): void {
    const { device } = this.#gpu;
    this.#pass.setIsovalue(this.#isovalue);
    const encoder = device.createCommandEncoder({ label: "isosurface" });
    const pass = encoder.beginComputePass({ label: "isosurface", timestampWrites });
    if (this.#rangesAreDue) this.#pass.recordRanges(pass);
    this.#rangesAreDue = false;
    this.#pass.recordSurface(pass);
    pass.end();
    device.queue.submit([encoder.finish()]);
    this.#submitted++;
  }

  /** Counts until the latest extraction is counted and fits. At most one count is on its way at any time. */
  async #settle(): Promise<void> {
    try {
      while (this.#counted !== this.#submitted) {
        const serial = this.#submitted;
        const prepared = this.#prepared;
        if (!prepared) return;
        const demand = await this.#counter.read(this.#pass.state);
        if (this.#isDisposed) return;
        if (prepared !== this.#prepared) continue;
        if (!fits(demand, prepared.surface.capacity) && !this.#cannotGrow) {
          if (this.#isSuspended) return;
          await this.#grow(prepared, demand);
          continue;
        }
        this.#demand = demand;
        this.#counted = serial;
        if (serial === this.#submitted) this.#events.onCounts?.(this.#latestCounts());
      }
    } catch (error) {
      if (this.#isDisposed) return;
      this.#fault = error;
      this.#counted = this.#submitted;
      this.#events.onError?.(error);
    } finally {
      this.#settling = undefined;
    }
  }

  /** Replaces buffers that were too small and extracts into the new ones. */
  async #grow(prepared: Prepared, demand: Capacity): Promise<void> {
    const former = prepared.surface;
    const capacity = grownCapacity(demand, former.capacity, this.#gpu.pool.largestBinding);
    this.#cannotGrow = true;
    if (fits(capacity, former.capacity)) return;
    const surface = await allocateSurface(this.#gpu, capacity);
    this.#cannotGrow = false;
    if (this.#isDisposed || this.#isSuspended || prepared !== this.#prepared) {
      releaseSurface(surface);
      return;
    }
    prepared.surface = surface;
    this.#pass.configure(prepared.source, prepared.index, surface);
    this.#submit();
    if (this.drawable) this.#events.onBuffers?.(this.drawable);
    releaseSurface(former);
  }
}

function release({ surface, indexScope }: Prepared): void {
  releaseSurface(surface);
  indexScope.release();
}
