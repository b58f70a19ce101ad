import { CrinkleError, cancelled } from "../../core/errors.ts";
import { formatCount } from "../../core/format.ts";
import { joinMeshes } from "../../core/join-meshes.ts";
import type { Plane } from "../../core/layers.ts";
import type { EdgeMesh } from "../../core/marching-cubes/weld.ts";
import { emptyMesh, type TriangleMesh } from "../../core/mesh.ts";
import { submitPass } from "../compute/dispatch.ts";
import type { GpuContext } from "../device/context.ts";
import type { BufferScope, PooledBuffer } from "../device/pool.ts";
import type { GpuField } from "../fields/gpu-field.ts";
import { type Capacity, firstCapacity, fits, grownCapacity, joined } from "./capacity.ts";
import { SurfaceClip } from "./clip/surface-clip.ts";
import { copyScalars, prepareCopy, type SurfaceScalars } from "./copy-scalars.ts";
import { CountReader } from "./count-reader.ts";
import { maxDemand } from "./demand.ts";
import { planeParameters } from "./plane.ts";
import { readParts } from "./read-parts.ts";

import type { DrawableSurface, SurfaceCounts, SurfaceEvents } from "./surface.ts";
import { allocateClipped, allocateSurface, releaseSurface, type SurfaceBuffers } from "./surface-buffers.ts";
import type { SurfacePass } from "./surface-pass.ts";
import { type SurfaceBase, scalarOffset } from "./surface-source.ts";
import { stateWords } from "./surface-state.ts";

const none: Capacity = { vertices: 0, indices: 0 };

interface Prepared<Source, Workspace> {
  source: Source;
  readonly workspace: Workspace;
  readonly workspaceScope: BufferScope;
  surface: SurfaceBuffers;
}

/**
 * One surface on the GPU whose request (an isovalue, a plane, a range) changes often. Positions, normals, scalars,
 * indices and the draw's arguments stay on the GPU, and an extraction is one submit that nothing waits for, the clip by
 * a plane with it. Buffers that prove too small are replaced and filled anew once the counts have come back; until then
 * the surface is drawn in part.
 */
export class SurfaceExtractor<Source extends SurfaceBase, Request, Workspace = unknown> {
  readonly #gpu: GpuContext;
  readonly #scope: BufferScope;
  readonly #pass: SurfacePass<Source, Request, Workspace>;
  readonly #counter: CountReader;
  readonly #events: SurfaceEvents;
  readonly #clip: SurfaceClip;
  #prepared: Prepared<Source, Workspace> | undefined;
  #request: Request | undefined;
  #isSourceDue = false;
  /** Numbers of the latest setSource, the latest submitted extraction, and the latest counted one. */
  #change = 0;
  #submitted = 0;
  #counted = 0;
  #demand: Capacity = none;
  /** Of the clipped surface; undefined where the latest counted one is not clipped. */
  #clippedDemand: Capacity | undefined;
  /** Whether there has been an extraction since the latest setSource. */
  #isExtracted = false;
  #cannotGrow = false;
  #isTruncationTold = false;
  #fault: unknown;
  #settling: Promise<void> | undefined;
  #isSuspended = false;
  #isDisposed = false;

  /** Takes over `scope`, which holds the pass's own buffers. */
  constructor(
    gpu: GpuContext,
    scope: BufferScope,
    pass: SurfacePass<Source, Request, Workspace>,
    events: SurfaceEvents = {},
  ) {
    this.#gpu = gpu;
    this.#scope = scope;
    this.#pass = pass;
    this.#counter = new CountReader(gpu, scope);
    this.#events = events;
    this.#clip = new SurfaceClip(gpu, scope, {
      name: pass.name,
      state: pass.state,
      present: () =>
        this.#prepared && { surface: this.#prepared.surface, center: this.#prepared.source.tables.center },
      isExtracted: () => this.#isExtracted,
      exchange: (surface) => {
        this.#required().surface = surface;
      },
      submit: (record) => {
        if (record) this.#submitPass(record);
        else this.#submitted++;
        this.#settling ??= this.#settle();
      },
      changed: () => this.#tellBuffers(),
      failed: (error) => {
        this.#fault = error;
        this.#events.onError?.(error);
      },
    });
  }

  /** What to draw from; undefined before the first `setSource`. */
  get drawable(): DrawableSurface | undefined {
    if (!this.#prepared) return undefined;
    const { source, surface } = this.#prepared;
    const clip = this.#clip.active;
    return {
      vertices: surface.vertices.buffer,
      indices: (clip ? clip.indices : surface.indices).buffer,
      draw: (clip ? clip.stage : this.#pass).state.buffer,
      center: source.tables.center,
      scalarOffset: scalarOffset(source),
    };
  }

  /**
   * Chooses the fields; draws nothing until the next `extract`. Call it again, or `fieldsChanged`, where values have
   * changed in place. Buffers are kept between grids of equal extents. A grid without cells in three directions gives empty
   * surfaces (`whyNoSurface` says why). Throws BadArgument, TooLarge, OutOfMemory; the former source then stays.
   */
  async setSource(source: Source): Promise<void> {
    this.#pass.checkSource(source);
    const change = ++this.#change;
    const { dims } = source.tables;
    const former = this.#prepared;
    if (former && dims.every((n, axis) => n === former.source.tables.dims[axis])) {
      this.#use({ ...former, source });
      return;
    }
    const workspaceScope = this.#gpu.scope();
    try {
      const workspace = await this.#pass.createWorkspace(source, workspaceScope);
      const { largestBinding } = this.#gpu.pool;
      const capacity =
        this.#pass.firstCapacity?.(source, largestBinding) ?? firstCapacity(dims, largestBinding);
      const surface = await this.#allocate(capacity);
      if (change !== this.#change || this.#isDisposed) {
        releaseSurface(surface);
        workspaceScope.release();
        return;
      }
      const replaced = this.#prepared;
      this.#use({ source, workspace, workspaceScope, surface });
      this.#tellBuffers();
      if (replaced) release(replaced);
    } catch (error) {
      workspaceScope.release();
      throw error;
    }
  }

  /** The source's fields have other values from now on: the next `extract` reads them anew. */
  fieldsChanged(): void {
    this.#isSourceDue = true;
  }

  /** Changes what colours the surface; it shows from the next `extract` on. Throws BadArgument. */
  setColor(color: GpuField | undefined, colorComponent = 0): void {
    const prepared = this.#required();
    const source = { ...prepared.source, color, colorComponent };
    this.#pass.checkSource(source);
    prepared.source = source;
    this.#pass.configure(source, prepared.workspace, prepared.surface);
  }

  /**
   * Keeps the part of the surface on the plane's positive side, of this extraction and of later ones; undefined keeps
   * all. Submits the clip alone and returns at once, but for the first plane, whose kernels and buffer come first: until
   * `onBuffers` the whole surface is drawn. Throws BadArgument.
   */
  setClip(plane: Plane | undefined): void {
    this.#clip.set(plane);
  }

  /**
   * Submits an extraction and returns at once: draws submitted later show it. Counts follow, and
   * where the buffers were too small, new ones that hold the whole surface. Ends a suspension. Throws BadArgument.
   */
  extract(request: Request, timestampWrites?: GPUComputePassTimestampWrites): void {
    this.#pass.checkRequest(request);
    this.#required();
    this.#request = request;
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
   * Records extractions of the request last given to `extract` into the caller's pass, for timing: they overwrite
   * each other, and are not counted.
   */
  record(pass: GPUComputePassEncoder, times = 1): void {
    this.#required();
    for (let i = 0; i < times; i++) this.#pass.record(pass);
  }

  /** Records the clip of the latest extraction into the caller's pass, for timing. */
  recordClip(pass: GPUComputePassEncoder): void {
    this.#clip.active?.stage.record(pass);
  }

  /** Records what a new source needs once into the caller's pass, for timing. */
  recordSource(pass: GPUComputePassEncoder): void {
    this.#required();
    this.#pass.recordSource?.(pass);
  }

  /** The counts of the latest extraction, once its buffers hold it. Throws OutOfMemory, DeviceLost, Cancelled. */
  async counts(): Promise<SurfaceCounts> {
    while (this.#settling ?? this.#clip.preparing) await (this.#clip.preparing ?? this.#settling);
    if (this.#fault) throw this.#fault;
    if (this.#counted !== this.#submitted) throw cancelled(`The ${this.#pass.name}`);
    return this.#latestCounts();
  }

  /**
   * Copies the surface of the latest extraction back, in physical units, welded or as its pass has it: equal sources
   * and requests give equal meshes. Throws TooLarge where the GPU cannot hold the surface whole, BadArgument where it is
   * clipped and not welded; else as `counts`.
   */
  async readMesh(): Promise<TriangleMesh> {
    const read = await this.readUnjoined();
    return "positions" in read ? read : joinMeshes(read.map(({ edges, ...mesh }) => mesh));
  }

  /** The same part by part with the vertices' edges; a clipped surface is one part without. */
  async readUnjoined(): Promise<readonly EdgeMesh[] | TriangleMesh> {
    return (await this.#read()).read;
  }

  /**
   * The same part by part, each vertex with the number of its edge, and what it was extracted from. Throws as
   * `readMesh`, and BadArgument for a clipped surface, whose vertices do not all lie on edges.
   */
  protected async readEdgeMeshes(): Promise<{
    source: Source;
    request: Request;
    parts: readonly EdgeMesh[];
  }> {
    const { source, request, read } = await this.#read();
    if (request === undefined || "positions" in read) {
      throw new CrinkleError({
        tag: "BadArgument",
        problem: `The ${this.#pass.name} is clipped, so that its vertices do not all lie on the grid's edges.`,
        remedy: "Take the clip away first.",
      });
    }
    return { source, request, parts: read };
  }

  /**
   * A copy of the colour field's values at the vertices of the latest extraction, which the caller releases; undefined where
   * there are no vertices. Throws as `counts`.
   */
  async copyScalars(): Promise<SurfaceScalars | undefined> {
    const pipeline = await prepareCopy(this.#gpu);
    const { vertices } = await this.counts();
    const { source, surface } = this.#required();
    const count = Math.min(vertices, surface.capacity.vertices);
    if (count === 0) return undefined;
    const { plane } = this.#clip;
    const clip = this.#clippedDemand &&
      plane && {
        plane: planeParameters(plane, source.tables.center),
        sourceVertices: this.#demand.vertices,
      };
    return copyScalars(this.#gpu, pipeline, surface, count, scalarOffset(source), clip);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#clip.dispose();
    if (this.#prepared) release(this.#prepared);
    this.#prepared = undefined;
    this.#scope.release();
  }

  /** Of the same extraction, whatever is asked for meanwhile. */
  async #read(): Promise<{
    source: Source;
    request: Request | undefined;
    read: readonly EdgeMesh[] | TriangleMesh;
  }> {
    let counts = await this.counts();
    while (this.#counted !== this.#submitted) counts = await this.counts();
    const { source, surface } = this.#required();
    const request = this.#request;
    if (counts.isTruncated) throw this.#tooLarge(counts);
    if (this.#clippedDemand && this.#pass.meshOf) {
      throw new CrinkleError({
        tag: "BadArgument",
        problem: `A clipped ${this.#pass.name} is read back welded, and this one is not.`,
        remedy: "Take the clip away first, or extract a welded one.",
      });
    }
    if (this.#clippedDemand?.indices === 0) return { source, request, read: emptyMesh };
    const ends = this.#pass.readParts?.(this.#demand) ?? Promise.resolve([this.#demand]);
    const asked = { whole: this.#demand, clipped: this.#clippedDemand, ends };
    const read = await readParts(this.#gpu, source, surface, asked, this.#pass.meshOf);
    return { source, request, read };
  }

  async #allocate(capacity: Capacity): Promise<SurfaceBuffers> {
    const { name } = this.#pass;
    const surface = await allocateSurface(this.#gpu, name, capacity, this.#pass.workBytes?.(capacity) ?? 0);
    if (!this.#clip.plane) return surface;
    try {
      return { ...surface, clipped: await allocateClipped(this.#gpu, name, capacity) };
    } catch (error) {
      releaseSurface(surface);
      throw error;
    }
  }

  #required(): Prepared<Source, Workspace> {
    if (this.#prepared) return this.#prepared;
    throw new CrinkleError({
      tag: "BadArgument",
      problem: `The ${this.#pass.name} has no field.`,
      remedy: "Choose what to extract it from first.",
    });
  }

  #latestCounts(): SurfaceCounts {
    const { vertices, indices } = this.#clippedDemand ?? this.#demand;
    const needed = joined(this.#demand, this.#clippedDemand ?? none);
    return {
      isovalue: this.#request === undefined ? undefined : this.#pass.isovalueOf?.(this.#request),
      triangles: Math.floor(indices / 3),
      vertices,
      isTruncated: this.#prepared ? !fits(needed, this.#prepared.surface.capacity) : false,
    };
  }

  /** That a surface is drawn in part is reported once, until one is whole again. */
  #tellCounts(): void {
    const counts = this.#latestCounts();
    this.#events.onCounts?.(counts);
    if (counts.isTruncated && !this.#isTruncationTold) this.#events.onError?.(this.#tooLarge(counts));
    this.#isTruncationTold = counts.isTruncated;
  }

  #tellBuffers(): void {
    if (this.drawable) this.#events.onBuffers?.(this.drawable);
  }

  #tooLarge({ triangles }: SurfaceCounts): CrinkleError {
    const moreThan = (this.#clippedDemand ?? this.#demand).indices === maxDemand ? "more than " : "";
    return new CrinkleError({
      tag: "TooLarge",
      problem: `The surface has ${moreThan}${formatCount(triangles)} triangles, which this GPU's buffers do not hold.`,
      remedy: "Show less of it, or a part of the data.",
    });
  }

  #use(prepared: Prepared<Source, Workspace>): void {
    this.#isSuspended = false;
    this.#prepared = prepared;
    this.#configure(prepared);
    for (const state of this.#states()) {
      this.#gpu.device.queue.writeBuffer(state.buffer, 0, new Uint32Array(stateWords));
    }
    this.#isSourceDue = true;
    this.#isExtracted = false;
    this.#cannotGrow = false;
    this.#demand = none;
    this.#clippedDemand = undefined;
    this.#counted = this.#submitted;
    this.#clip.prepare();
  }

  #configure({ source, workspace, surface }: Prepared<Source, Workspace>): void {
    this.#pass.configure(source, workspace, surface);
    this.#clip.configure();
  }

  #states(): PooledBuffer[] {
    const clip = this.#clip.active;
    return clip ? [this.#pass.state, clip.stage.state] : [this.#pass.state];
  }

  #submit(timestampWrites?: GPUComputePassTimestampWrites): void {
    if (this.#request === undefined) return;
    this.#pass.setRequest(this.#request);
    this.#submitPass((pass) => {
      if (this.#isSourceDue) this.#pass.recordSource?.(pass);
      this.#pass.record(pass);
      this.#clip.active?.stage.record(pass);
    }, timestampWrites);
    this.#isSourceDue = false;
    this.#isExtracted = true;
  }

  #submitPass(
    record: (pass: GPUComputePassEncoder) => void,
    timestampWrites?: GPUComputePassTimestampWrites,
  ): void {
    submitPass(this.#gpu, this.#pass.name, record, timestampWrites);
    this.#submitted++;
  }

  /** Counts until the latest extraction is counted and fits. At most one count is on its way at any time. */
  async #settle(): Promise<void> {
    try {
      while (this.#counted !== this.#submitted) {
        const serial = this.#submitted;
        const prepared = this.#prepared;
        if (!prepared) return;
        const [demand, clippedDemand] = await this.#counter.read(this.#states());
        if (this.#isDisposed) return;
        if (prepared !== this.#prepared) continue;
        const needed = joined(demand, clippedDemand ?? none);
        if (!fits(needed, prepared.surface.capacity) && !this.#cannotGrow) {
          if (this.#isSuspended) return;
          await this.#grow(prepared, needed);
          continue;
        }
        this.#demand = demand;
        this.#clippedDemand = clippedDemand;
        this.#counted = serial;
        if (serial === this.#submitted) this.#tellCounts();
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
  async #grow(prepared: Prepared<Source, Workspace>, demand: Capacity): Promise<void> {
    const former = prepared.surface;
    const capacity = grownCapacity(demand, former.capacity, this.#gpu.pool.largestBinding);
    this.#cannotGrow = true;
    if (fits(capacity, former.capacity)) return;
    const surface = await this.#allocate(capacity);
    this.#cannotGrow = false;
    const isStale = prepared !== this.#prepared || former !== prepared.surface;
    if (this.#isDisposed || this.#isSuspended || isStale) {
      releaseSurface(surface);
      return;
    }
    prepared.surface = surface;
    this.#configure(prepared);
    this.#submit();
    this.#tellBuffers();
    releaseSurface(former);
  }
}

function release({ surface, workspaceScope }: Prepared<SurfaceBase, unknown>): void {
  releaseSurface(surface);
  workspaceScope.release();
}
