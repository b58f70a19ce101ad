import type { Triple } from "../../../core/grid.ts";
import type { Plane } from "../../../core/layers.ts";
import type { GpuContext } from "../../device/context.ts";
import type { BufferScope, PooledBuffer } from "../../device/pool.ts";
import { checkPlane } from "../plane.ts";
import { allocateClipped, type SurfaceBuffers } from "../surface-buffers.ts";
import type { ClipStage } from "./clip-stage.ts";

/** The surface that is clipped, as its extractor has it. */
export interface ClipSource {
  readonly name: string;
  /** The surface's own draw arguments. */
  readonly state: PooledBuffer;
  /** Undefined where there is no surface. */
  present(): { readonly surface: SurfaceBuffers; readonly center: Triple } | undefined;
  isExtracted(): boolean;
  /** The present surface has these buffers. */
  exchange(surface: SurfaceBuffers): void;
  /** Submits what `record` records, or nothing, and counts again. */
  submit(record?: (pass: GPUComputePassEncoder) => void): void;
  /** Something else is to be drawn. */
  changed(): void;
  failed(error: unknown): void;
}

interface Active {
  readonly stage: ClipStage;
  readonly plane: Plane;
  readonly indices: PooledBuffer;
}

/** The plane that a surface is clipped by. Kernels and indices come with the first one, after a while. */
export class SurfaceClip {
  readonly #gpu: GpuContext;
  readonly #scope: BufferScope;
  readonly #source: ClipSource;
  #plane: Plane | undefined;
  #stage: ClipStage | undefined;
  #preparing: Promise<void> | undefined;
  #isDisposed = false;

  /** `scope` gets the buffers of all planes. */
  constructor(gpu: GpuContext, scope: BufferScope, source: ClipSource) {
    this.#gpu = gpu;
    this.#scope = scope;
    this.#source = source;
  }

  get plane(): Plane | undefined {
    return this.#plane;
  }

  /** What the surface is clipped with; undefined where it is whole, or the clip is being prepared. */
  get active(): Active | undefined {
    const indices = this.#source.present()?.surface.clipped;
    return this.#plane && this.#stage && indices && { stage: this.#stage, plane: this.#plane, indices };
  }

  /** What the first plane needs is on its way until this has resolved; undefined where nothing is. Never rejects. */
  get preparing(): Promise<void> | undefined {
    return this.#preparing;
  }

  /** Throws BadArgument. */
  set(plane: Plane | undefined): void {
    if (plane) checkPlane(plane);
    const former = this.active;
    this.#plane = plane;
    if (plane && former) this.#submit();
    else if (plane) this.prepare();
    else if (former) this.#end(former);
  }

  /** Gets what a plane needs where there is a surface, and clips by the plane that is the latest then. */
  prepare(): void {
    if (this.#plane && !this.active && this.#source.present()) this.#preparing ??= this.#make();
  }

  /** Where the surface has other buffers or another source. */
  configure(): void {
    const present = this.#source.present();
    const { active } = this;
    if (!present || !active) return;
    active.stage.configure(this.#source.state, present.surface, active.indices);
    active.stage.setPlane(active.plane, present.center);
  }

  dispose(): void {
    this.#isDisposed = true;
  }

  /** Clips the latest extraction by the latest plane: reads no field. */
  #submit(): void {
    const present = this.#source.present();
    const { active } = this;
    if (!present || !active) return;
    active.stage.setPlane(active.plane, present.center);
    if (this.#source.isExtracted()) this.#source.submit((pass) => active.stage.record(pass));
  }

  #end({ indices }: Active): void {
    const present = this.#source.present();
    if (!present) return;
    this.#source.exchange({ ...present.surface, clipped: undefined });
    this.#source.changed();
    indices.release();
    if (this.#source.isExtracted()) this.#source.submit();
  }

  async #make(): Promise<void> {
    try {
      if (!this.#stage) {
        const { ClipStage } = await import("./clip-stage.ts");
        const pipelines = await ClipStage.compile(this.#gpu);
        if (this.#isDisposed) return;
        this.#stage = new ClipStage(this.#gpu, this.#scope, pipelines);
      }
      for (let surface = this.#unclipped(); surface; surface = this.#unclipped()) {
        const clipped = await allocateClipped(this.#gpu, this.#source.name, surface.capacity);
        if (surface === this.#unclipped()) this.#source.exchange({ ...surface, clipped });
        else clipped.release();
      }
      if (!this.active) return;
      this.configure();
      this.#submit();
      this.#source.changed();
    } catch (error) {
      if (this.#isDisposed) return;
      this.#plane = undefined;
      this.#source.failed(error);
    } finally {
      this.#preparing = undefined;
    }
  }

  /** The surface, where it is to be clipped and has no indices for that. */
  #unclipped(): SurfaceBuffers | undefined {
    const surface = this.#source.present()?.surface;
    return this.#plane && surface && !surface.clipped ? surface : undefined;
  }
}
