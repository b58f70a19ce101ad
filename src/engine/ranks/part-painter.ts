import { type Grid, gridBounds, gridCenter } from "../../core/grid.ts";
import type { TriangleMesh } from "../../core/mesh.ts";
import { pixelsOf } from "../../core/projection.ts";
import type { CameraState, Viewport } from "../../core/view.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import { MeshBuffers } from "../../gpu/surfaces/mesh-buffers.ts";
import type { DrawableSurface } from "../../gpu/surfaces/surface.ts";
import type { OffscreenDrawing, PaintSettings, Surface, Viewer } from "../../viewer/viewer.ts";
import type { MadeSurface } from "../kept-surface.ts";
import { emptyDrawing } from "./packed-drawing.ts";

/** What a picture is seen from, and its size. */
export interface PictureView {
  readonly camera: CameraState;
  readonly viewport: Viewport;
}

/** The part of a surface that a painter has. */
interface PaintedPart {
  /** What distinguishes it from others of the same scalars. */
  readonly key: string;
  /** Of the colours of the whole surface, where they are asked for. */
  readonly range: readonly [number, number] | undefined;
}

interface Opened {
  readonly viewer: Viewer;
  readonly surface: Surface;
  /** Of a part that was made in host memory. */
  readonly buffers: MeshBuffers;
}

/** Draws the part of a surface that a rank has made, on the rank's device, without a canvas. */
export class PartPainter {
  readonly #gpu: GpuContext | undefined;
  readonly #grid: Grid;
  #opened: Opened | undefined;
  #part: PaintedPart | undefined;
  /** Undefined where there is nothing to draw. */
  #drawable: DrawableSurface | undefined;
  #isCopy = false;

  /** `grid` is the whole's. Without a GPU only empty parts can be drawn. */
  constructor(gpu: GpuContext | undefined, grid: Grid) {
    this.#gpu = gpu;
    this.#grid = grid;
  }

  /** What is drawn. */
  get part(): PaintedPart | undefined {
    return this.#part;
  }

  /** Whether the next surface can be drawn from where it is extracted, or there is nothing to draw. */
  get isDirect(): boolean {
    return this.#part !== undefined && !this.#isCopy;
  }

  /** What is added to the scalars that are drawn to give values. */
  get scalarOffset(): number {
    return this.#drawable?.scalarOffset ?? 0;
  }

  /** What was drawn is about to be made anew. */
  clear(): void {
    this.#part = undefined;
  }

  /**
   * Draws this part from now on: from where it is on the GPU, whatever is extracted there, or from a copy of what is in host
   * memory. Throws TooLarge, OutOfMemory, DeviceLost.
   */
  async set(part: PaintedPart, made: MadeSurface): Promise<void> {
    this.clear();
    if (made.drawable) await this.#show(made);
    else await this.#send(await made.readMesh());
    this.#part = part;
  }

  /** Throws DeviceLost. */
  async draw({ camera, viewport }: PictureView, paint: PaintSettings): Promise<OffscreenDrawing> {
    if (!this.#drawable) return emptyDrawing(pixelsOf(viewport));
    const { viewer, surface } = await this.#open();
    surface.setPaint(paint);
    return viewer.drawOffscreen(camera, viewport);
  }

  dispose(): void {
    const { viewer, buffers } = this.#opened ?? {};
    this.#opened = undefined;
    this.#part = undefined;
    this.#drawable = undefined;
    viewer?.dispose();
    buffers?.dispose();
  }

  /** The surface that is drawn has other buffers from now on. */
  replace(drawable: DrawableSurface): void {
    if (this.#drawable && !this.#isCopy) this.#wrap(drawable);
  }

  async #send(mesh: TriangleMesh): Promise<void> {
    this.#isCopy = mesh.indices.length > 0;
    if (mesh.indices.length === 0) this.#drawable = undefined;
    else {
      const { buffers } = await this.#open();
      await buffers.set(mesh, gridCenter(this.#grid), (sent) => this.#wrap(sent));
    }
  }

  async #show(made: MadeSurface): Promise<void> {
    const { buffers } = await this.#open();
    this.#isCopy = false;
    if (made.drawable) this.#wrap(made.drawable);
    buffers.dispose();
  }

  #wrap(drawable: DrawableSurface): void {
    const former = this.#drawable;
    this.#drawable = drawable;
    const { vertices, indices, draw } = drawable;
    if (former?.vertices === vertices && former.indices === indices && former.draw === draw) return;
    this.#opened?.surface.setBuffers({ vertices, indices, indirect: draw });
  }

  async #open(): Promise<Opened> {
    if (this.#opened) return this.#opened;
    const gpu = this.#gpu;
    if (!gpu) throw new TypeError("A rank without a GPU draws nothing.");
    const { Viewer } = await import("../../viewer/viewer.ts");
    const { isSoftware } = gpu.adapter;
    const size = { width: 1, height: 1, pixelRatio: 1 };
    const viewer = await Viewer.create(gpu.device, undefined, size, { theme: "light", isSoftware });
    viewer.setGrid(gridBounds(this.#grid));
    const buffers = new MeshBuffers(gpu, "part of a surface");
    this.#opened = { viewer, surface: viewer.addSurface(), buffers };
    return this.#opened;
  }
}
