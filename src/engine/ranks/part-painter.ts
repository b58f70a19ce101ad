import { type Grid, gridBounds, gridCenter } from "../../core/grid.ts";
import type { TriangleMesh } from "../../core/mesh.ts";
import { pixelsOf } from "../../core/projection.ts";
import type { CameraState, Viewport } from "../../core/view.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import { MeshBuffers } from "../../gpu/surfaces/mesh-buffers.ts";
import type { DrawableSurface } from "../../gpu/surfaces/surface.ts";
import type { OffscreenDrawing, PaintSettings, Surface, Viewer } from "../../viewer/viewer.ts";
import type { MadePart } from "./cut-surface.ts";
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
  /** As many as there have been drawables at a time. */
  readonly surfaces: Surface[];
  /** Of a part that was made in host memory. */
  readonly buffers: MeshBuffers;
}

/** Draws the part of a surface that a rank has made, on the rank's device, without a canvas. */
export class PartPainter {
  readonly #gpu: GpuContext | undefined;
  readonly #grid: Grid;
  #opened: Opened | undefined;
  #part: PaintedPart | undefined;
  /** What is drawn, where that is on the GPU by itself. */
  #made: MadePart | undefined;
  /** What is drawn of a mesh in host memory. */
  #copy: DrawableSurface | undefined;

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
    return this.#part !== undefined && !this.#copy;
  }

  /** What is added to the scalars that are drawn to give values. */
  get scalarOffset(): number {
    return this.#drawables[0]?.scalarOffset ?? 0;
  }

  /** What was drawn is about to be made anew. */
  clear(): void {
    this.#part = undefined;
    this.#made = undefined;
  }

  /**
   * Draws this part from now on: from where it is on the GPU, whatever is extracted there, or from a copy of what is in host
   * memory. Throws TooLarge, OutOfMemory, DeviceLost.
   */
  async set(part: PaintedPart, made: MadePart): Promise<void> {
    this.clear();
    if (made.drawables) await this.#show(made);
    else await this.#send(await made.readMesh());
    this.#part = part;
  }

  /** Throws DeviceLost. */
  async draw({ camera, viewport }: PictureView, paint: PaintSettings): Promise<OffscreenDrawing> {
    if (this.#drawables.length === 0) return emptyDrawing(pixelsOf(viewport));
    const { viewer, surfaces } = await this.#open();
    for (const surface of surfaces) surface.setPaint(paint);
    return viewer.drawOffscreen(camera, viewport);
  }

  dispose(): void {
    const { viewer, buffers } = this.#opened ?? {};
    this.#opened = undefined;
    this.#part = undefined;
    this.#made = undefined;
    this.#copy = undefined;
    viewer?.dispose();
    buffers?.dispose();
  }

  /** What is drawn may have other buffers from now on. */
  refresh(): void {
    if (!this.#opened || (!this.#made && !this.#copy)) return;
    const { viewer, surfaces } = this.#opened;
    const drawables = this.#drawables;
    while (surfaces.length < drawables.length) surfaces.push(viewer.addSurface());
    for (const [k, surface] of surfaces.entries()) {
      const former = surface.buffers;
      const next = drawables[k] && buffersOf(drawables[k]);
      const isSame = next
        ? next.vertices === former?.vertices &&
          next.indices === former.indices &&
          next.indirect === former.indirect
        : !former;
      if (!isSame) surface.setBuffers(next);
    }
  }

  get #drawables(): readonly DrawableSurface[] {
    return this.#copy ? [this.#copy] : (this.#made?.drawables ?? []);
  }

  async #send(mesh: TriangleMesh): Promise<void> {
    this.#made = undefined;
    if (mesh.indices.length === 0) this.#copy = undefined;
    else {
      const { buffers } = await this.#open();
      await buffers.set(mesh, gridCenter(this.#grid), (sent) => {
        this.#copy = sent;
        this.refresh();
      });
    }
  }

  async #show(made: MadePart): Promise<void> {
    this.#copy = undefined;
    if (made.drawables?.length === 0) return;
    const { buffers } = await this.#open();
    this.#made = made;
    this.refresh();
    buffers.dispose();
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
    this.#opened = { viewer, surfaces: [], buffers };
    return this.#opened;
  }
}

const buffersOf = ({ vertices, indices, draw }: DrawableSurface) => ({ vertices, indices, indirect: draw });
