import { type Grid, gridBounds, gridCenter } from "../../core/grid.ts";
import type { TriangleMesh } from "../../core/mesh.ts";
import { pixelsOf } from "../../core/projection.ts";
import type { CameraState, Viewport } from "../../core/view.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import { MeshBuffers } from "../../gpu/surfaces/mesh-buffers.ts";
import type { OffscreenDrawing, PaintSettings, Surface, Viewer } from "../../viewer/viewer.ts";
import { emptyDrawing } from "./packed-drawing.ts";

/** What a picture is seen from, and its size. */
export interface PictureView {
  readonly camera: CameraState;
  readonly viewport: Viewport;
}

/** The part of a surface that a painter has. */
interface PaintedPart {
  /** What tells it from others of the same scalars. */
  readonly key: string;
  /** Of the colours of the whole surface, where they are asked for. */
  readonly range: readonly [number, number] | undefined;
}

interface Opened {
  readonly viewer: Viewer;
  readonly surface: Surface;
  readonly buffers: MeshBuffers;
}

/** Draws the part of a surface that a rank has made, on the rank's device, without a canvas. */
export class PartPainter {
  readonly #gpu: GpuContext | undefined;
  readonly #grid: Grid;
  #opened: Opened | undefined;
  #part: PaintedPart | undefined;
  #isEmpty = true;

  /** `grid` is the whole's. Without a GPU only empty parts can be drawn. */
  constructor(gpu: GpuContext | undefined, grid: Grid) {
    this.#gpu = gpu;
    this.#grid = grid;
  }

  /** What is drawn. */
  get part(): PaintedPart | undefined {
    return this.#part;
  }

  /** Draws this part from now on. Throws TooLarge, OutOfMemory, DeviceLost. */
  async set(part: PaintedPart, mesh: TriangleMesh): Promise<void> {
    this.#part = undefined;
    this.#isEmpty = mesh.indices.length === 0;
    if (!this.#isEmpty) {
      const { buffers, surface } = await this.#open();
      await buffers.set(mesh, gridCenter(this.#grid), ({ vertices, indices, draw }) =>
        surface.setBuffers({ vertices, indices, indirect: draw }),
      );
    }
    this.#part = part;
  }

  /** Throws DeviceLost. */
  async draw({ camera, viewport }: PictureView, paint: PaintSettings): Promise<OffscreenDrawing> {
    if (this.#isEmpty) return emptyDrawing(pixelsOf(viewport));
    const { viewer, surface } = await this.#open();
    surface.setPaint(paint);
    return viewer.drawOffscreen(camera, viewport);
  }

  dispose(): void {
    const { viewer, buffers } = this.#opened ?? {};
    this.#opened = undefined;
    this.#part = undefined;
    viewer?.dispose();
    buffers?.dispose();
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
