import { CrinkleError, cancelled, isCancelled } from "../../core/errors.ts";
import type { Grid, Triple } from "../../core/grid.ts";
import type { JobContext } from "../../core/job.ts";
import { isSurface, type Layer } from "../../core/layers.ts";
import type { ScalarBar } from "../../core/view.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import { PassTimer } from "../../gpu/device/timing.ts";
import { checkPlane } from "../../gpu/surfaces/plane.ts";
import type { DrawableSurface, SurfaceCounts } from "../../gpu/surfaces/surface.ts";
import type { Hit, Surface, Viewer } from "../../viewer/viewer.ts";
import type { LayerSummary, ProbeReport } from "../api.ts";
import { type NodeScalar, nodeScalar } from "../node-scalar.ts";
import type { Session } from "../session.ts";
import type { Adjusted } from "./adjust.ts";
import type { LayerView, LayerViewEvents, PaintedMesh } from "./layer-view.ts";
import { checkPaint, colorRange, scalarBar, solidColors, valueColors } from "./paint.ts";
import { timePicture } from "./picture-timing.ts";
import {
  createShapeSurface,
  evaluateShape,
  type ShapeField,
  type ShapeSurface,
  type SurfaceKind,
  shapeField,
  surfaceKind,
} from "./shape-surface.ts";
import { surfacePaint } from "./surface-paint.ts";
import { rangeTail, surfaceRange } from "./surface-range.ts";

/** A layer of triangles: extracted when a frame needs it, at most once a frame. */
export class SurfaceLayer implements LayerView {
  readonly isRanked = false;
  readonly #gpu: GpuContext;
  readonly #viewer: Viewer;
  readonly #surface: Surface;
  readonly #kind: SurfaceKind;
  readonly #shapeSurface: ShapeSurface;
  readonly #events: LayerViewEvents;
  #layer: Layer;
  #field: ShapeField | undefined;
  #grid: Grid | undefined;
  /** The latest counts. */
  #counts: SurfaceCounts | undefined;
  #telling: Promise<void> | undefined;
  #color: NodeScalar | undefined;
  readonly #timer: PassTimer;
  /** The extraction that is being timed: one at a time, so that a drag reads back only its counts. */
  #timing: Promise<number | undefined> | undefined;
  #lastMs: number | undefined;
  /** Range of the colour field on the surface; undefined until known. */
  #shownRange: readonly [number, number] | undefined;
  /** The reading of that range: one at a time, and repeated if the surface has changed meanwhile. */
  #measuring: Promise<void> | undefined;
  #isRangeDue = false;
  /** Whether the shape has changed since the last extraction. */
  #isDue = false;
  #isSuspended = false;
  #isDisposed = false;

  private constructor(
    gpu: GpuContext,
    viewer: Viewer,
    layer: Layer,
    kind: SurfaceKind,
    shapeSurface: ShapeSurface,
    events: LayerViewEvents,
  ) {
    this.#gpu = gpu;
    this.#viewer = viewer;
    this.#layer = layer;
    this.#kind = kind;
    this.#shapeSurface = shapeSurface;
    this.#events = events;
    this.#surface = viewer.addSurface();
    this.#timer = new PassTimer(gpu.device, 1);
  }

  /** Shows nothing until `set`. Throws OutOfMemory, DeviceLost. */
  static async create(
    gpu: GpuContext,
    viewer: Viewer,
    layer: Layer,
    events: LayerViewEvents,
  ): Promise<SurfaceLayer> {
    const { shape } = layer;
    if (!isSurface(shape)) throw new TypeError("Points and images have no surface.");
    const kind = surfaceKind(shape);
    let view: SurfaceLayer | undefined;
    const shapeSurface = await createShapeSurface(gpu, kind, {
      onBuffers: (surface) => {
        if (view) view.#show(surface);
      },
      onCounts: (counts) => {
        if (view) view.#counted(counts);
      },
      onError: (error) => events.failed(error),
    });
    view = new SurfaceLayer(gpu, viewer, layer, kind, shapeSurface, events);
    return view;
  }

  get layer(): Layer {
    return this.#layer;
  }

  get bar(): ScalarBar | undefined {
    return this.#color && scalarBar(this.#layer.paint, this.#color, this.#range(this.#color));
  }

  get isComputed(): boolean {
    return (this.#field?.isComputed || this.#color?.isComputed) ?? false;
  }

  fits({ shape }: Layer): boolean {
    return isSurface(shape) && surfaceKind(shape) === this.#kind;
  }

  async set(session: Session, layer: Layer, job: JobContext): Promise<LayerSummary> {
    checkPaint(layer.paint);
    if (layer.clip) checkPlane(layer.clip);
    requireGrid(session);
    const gpu = gpuOf(session);
    const text = shapeField(layer.shape);
    // Colours are f32, so a field that colours itself is not used in its stored type.
    const color = layer.colorBy === undefined ? undefined : await nodeScalar(session, layer.colorBy, job);
    let field: ShapeField | undefined;
    try {
      field =
        text !== undefined && text === layer.colorBy ? color : await evaluateShape(session, layer.shape, job);
      await this.#shapeSurface.setSource(session, gpu, field, color);
      if (this.#isDisposed) throw cancelled("The layer");
    } catch (error) {
      releaseAll(field, color);
      throw error;
    }
    releaseAll(this.#field, this.#color);
    this.#field = field;
    this.#color = color;
    this.#layer = layer;
    this.#grid = session.data.dataSet.grid;
    this.#shownRange = undefined;
    this.#isSuspended = false;
    this.#shapeSurface.extractor.setClip(layer.clip);
    const { drawable } = this.#shapeSurface.extractor;
    if (drawable) this.#show(drawable);
    this.#paint();
    this.#surface.setVisible(layer.isVisible);
    this.#isDue = true;
    this.#viewer.invalidate();
    return {
      field: field?.statistics,
      color: color?.statistics,
      notes: [...new Set([...(field?.notes ?? []), ...(color?.notes ?? [])])],
    };
  }

  adjust({ layer, isReshaped }: Adjusted): void {
    const former = this.#layer;
    if (layer.paint !== former.paint) checkPaint(layer.paint);
    this.#layer = layer;
    if (isReshaped) {
      this.#isDue = true;
      this.#viewer.invalidate();
    }
    if (layer.isVisible !== former.isVisible) {
      this.#surface.setVisible(layer.isVisible);
      this.#events.barsChanged();
    }
    if (layer.clip !== former.clip) this.#shapeSurface.extractor.setClip(layer.clip);
    const isRepainted = layer.paint !== former.paint || layer.clip !== former.clip;
    if (isRepainted || layer.shape !== former.shape) this.#paint();
    if (layer.paint !== former.paint) this.#measureRange();
  }

  setPlace(place: number): void {
    this.#surface.setPlace(place);
  }

  fieldsChanged(): void {
    if (!this.#field && !this.#color) return;
    this.#shapeSurface.extractor.fieldsChanged();
    this.#isDue = true;
  }

  prepareFrame(): void {
    if (!this.#isDue || this.#isSuspended || !this.#layer.isVisible) return;
    this.#isDue = false;
    const timestamps = this.#timing ? undefined : this.#timer.next();
    try {
      const start = performance.now();
      this.#shapeSurface.extract(this.#layer.shape, timestamps);
      timePicture(this.#layer, start, {});
    } catch (error) {
      this.#events.failed(error);
    }
    if (timestamps) this.#timing = this.#readTimer();
  }

  suspend(): void {
    this.#isSuspended = true;
    this.#shapeSurface.extractor.suspend();
  }

  resume(): void {
    this.#isSuspended = false;
    this.#shapeSurface.extractor.resume();
    if (this.#isDue) this.#viewer.invalidate();
  }

  async triangles(): Promise<number> {
    if (!this.#layer.isVisible) return 0;
    const { triangles } = await this.#shapeSurface.extractor.counts();
    while (this.#measuring) await this.#measuring;
    await this.#telling;
    return triangles;
  }

  async readMesh(): Promise<PaintedMesh> {
    this.prepareFrame();
    const mesh = await this.#shapeSurface.extractor.readMesh();
    const { paint } = this.#layer;
    const color = this.#color;
    const colors =
      color && mesh.scalars
        ? valueColors(mesh.scalars, paint, this.#range(color))
        : solidColors(mesh.positions.length / 3, paint);
    return { mesh, colors };
  }

  draws(drawable: Hit["drawable"]): boolean {
    return drawable === this.#surface;
  }

  async report(session: Session, hit: Hit): Promise<ProbeReport> {
    const { surfaceReport } = await import("../probe/surface-report.ts");
    if (this.#isDisposed) throw cancelled("The layer");
    return surfaceReport(session, this.#layer, this.#field, this.#center, hit);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#surface.remove();
    this.#timer.dispose();
    this.#shapeSurface.extractor.dispose();
    releaseAll(this.#field, this.#color);
    this.#field = undefined;
    this.#color = undefined;
  }

  #show({ vertices, indices, draw }: DrawableSurface): void {
    this.#surface.setBuffers({ vertices, indices, indirect: draw });
  }

  /** What is drawn is drawn already: counts bring no other picture, and larger buffers say so themselves. */
  #counted(counts: SurfaceCounts): void {
    this.#measureRange();
    this.#telling = this.#tellCounts(counts);
  }

  async #readTimer(): Promise<number | undefined> {
    try {
      this.#lastMs = (await this.#timer.read())[0];
    } catch {
      // The device was lost, or the layer was removed: whoever waits for it gets the error.
    }
    this.#timing = undefined;
    return this.#lastMs;
  }

  /** Reports the counts, with the extraction's time if it is being measured. */
  async #tellCounts(counts: SurfaceCounts): Promise<void> {
    this.#counts = counts;
    const ms = this.#timing ? await this.#timing : this.#lastMs;
    const note = counts.triangles === 0 ? await this.#whyEmpty() : undefined;
    const isLatest = counts === this.#counts;
    if (isLatest && !this.#isDue && !this.#isDisposed) this.#events.counted(this.#layer, counts, ms, note);
  }

  /** The reason for an empty cut by a sphere; those of other empty surfaces are obvious from their settings. */
  async #whyEmpty(): Promise<string | undefined> {
    const { shape } = this.#layer;
    if (!this.#grid || shape.kind !== "cut" || shape.by.kind !== "sphere") return undefined;
    const { whyNoCut } = await import("./why-no-cut.ts");
    return whyNoCut(this.#grid, shape.by.center, shape.by.radius);
  }

  /** Takes the colour range from the present surface, if the paint asks for it. */
  #measureRange(): void {
    if (this.#layer.paint.range !== "surface" || !this.#color || !this.#layer.isVisible) return;
    this.#isRangeDue = true;
    this.#measuring ??= this.#readRange().finally(() => {
      this.#measuring = undefined;
    });
  }

  async #readRange(): Promise<void> {
    while (this.#isRangeDue) {
      this.#isRangeDue = false;
      const color = this.#color;
      try {
        const range = await surfaceRange(this.#gpu, this.#shapeSurface.extractor, rangeTail);
        if (!color || color !== this.#color || !range) continue;
        this.#shownRange = range;
        this.#paint();
      } catch (error) {
        if (!this.#isDisposed && !isCancelled(error)) this.#events.failed(error);
      }
    }
  }

  #paint(): void {
    const range = this.#color && this.#range(this.#color);
    const scalarOffset = this.#shapeSurface.extractor.drawable?.scalarOffset ?? 0;
    this.#surface.setPaint(surfacePaint(this.#layer, range, scalarOffset, this.#center));
    this.#events.barsChanged();
  }

  get #center(): Triple {
    return this.#shapeSurface.extractor.drawable?.center ?? [0, 0, 0];
  }

  #range({ statistics }: NodeScalar): readonly [number, number] {
    return colorRange(this.#layer.paint, statistics, this.#shownRange);
  }
}

function releaseAll(...scalars: readonly (ShapeField | undefined)[]): void {
  for (const scalar of new Set(scalars)) scalar?.release();
}

function requireGrid({ data }: Session): void {
  if (!data.points) return;
  throw new CrinkleError({
    tag: "BadArgument",
    problem: `“${data.dataSet.name}” is a set of points, which have no surface.`,
    remedy: "Add a layer of points.",
  });
}

function gpuOf(session: Session): GpuContext {
  const { gpu } = session.device;
  if (gpu) return gpu;
  throw new CrinkleError({ tag: "NoWebGPU", problem: "A layer is drawn by the GPU, and there is none." });
}
