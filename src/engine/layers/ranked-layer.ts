import { hostValues } from "../../algorithms/statistics/host.ts";
import { trimmedRange } from "../../algorithms/statistics/trimmed-range.ts";
import { CrinkleError, cancelled, isCancelled } from "../../core/errors.ts";
import { gridCenter, type Triple } from "../../core/grid.ts";
import type { JobContext } from "../../core/job.ts";
import { isSurface, type Layer } from "../../core/layers.ts";
import type { TriangleMesh } from "../../core/mesh.ts";
import type { ScalarBar } from "../../core/view.ts";
import { createCpuEach } from "../../cpu/primitives/each-primitives.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import { MeshBuffers } from "../../gpu/surfaces/mesh-buffers.ts";
import { checkPlane } from "../../gpu/surfaces/plane.ts";
import type { DepthImage, Hit, Surface, Viewer } from "../../viewer/viewer.ts";
import type { LayerSummary, ProbeReport } from "../api.ts";
import type { AskPlace } from "../probe/surface-report.ts";
import type { DrawnByRanks, MadeForLayer } from "../ranks/draw-job.ts";
import { type DrawingStep, drawingSteps } from "../ranks/drawing-step.ts";
import type { PictureView } from "../ranks/part-painter.ts";
import type { RankTeam } from "../ranks/team.ts";
import type { Session } from "../session.ts";
import type { Adjusted } from "./adjust.ts";
import type { LayerView, LayerViewEvents, PaintedMesh } from "./layer-view.ts";
import { type ColorSource, checkPaint, colorRange, scalarBar, solidColors, valueColors } from "./paint.ts";
import { timePicture } from "./picture-timing.ts";
import { rankTint, tinted } from "./rank-tint.ts";
import { isovaluesOf } from "./shape-surface.ts";
import { surfacePaint } from "./surface-paint.ts";
import { rangeTail } from "./surface-range.ts";
import { ViewMotion } from "./view-motion.ts";

const primitives = createCpuEach();

/** The ranks' surface. */
interface Shown {
  readonly made: MadeForLayer;
  /** The colour field's range on it, where the paint asks for that. */
  readonly range: readonly [number, number] | undefined;
  /** How it is coloured where its parts have the colours of their ranks. */
  readonly tint: ReturnType<typeof rankTint> | undefined;
}

/**
 * A layer of triangles that the ranks of a room make, each in its part of the grid. This page draws them, or composites what the
 * ranks draw: the latest picture that has arrived, whatever the camera is by then; the next one is asked for when it is here.
 */
export class RankedLayer implements LayerView {
  readonly isRanked = true;
  readonly #viewer: Viewer;
  readonly #surface: Surface;
  readonly #buffers: MeshBuffers;
  readonly #team: () => RankTeam | undefined;
  readonly #events: LayerViewEvents;
  #layer: Layer;
  #center: Triple = [0, 0, 0];
  #shown: Shown | undefined;
  /** What the ranks have drawn, where they draw. */
  #image: DepthImage | undefined;
  #place = 0;
  /** The number of the view that the picture, or the one that is asked for, is of. */
  #viewNumber = 0;
  /** The picture stays as it is. */
  #isHeld = false;
  readonly #motion = new ViewMotion(() => {
    if (!this.#making) this.#refine();
  });
  /** The making of the surface or its picture: one at a time, and again where the layer or the view has changed meanwhile. */
  #making: Promise<void> | undefined;
  /** The most that is wanted next. */
  #wanted: DrawingStep | undefined;
  /** The whole, for a file. */
  #gathered: TriangleMesh | undefined;
  #isDisposed = false;

  constructor(
    gpu: GpuContext,
    viewer: Viewer,
    layer: Layer,
    team: () => RankTeam | undefined,
    events: LayerViewEvents,
  ) {
    this.#viewer = viewer;
    this.#layer = layer;
    this.#team = team;
    this.#events = events;
    this.#surface = viewer.addSurface();
    this.#buffers = new MeshBuffers(gpu, "surface of the ranks");
  }

  get layer(): Layer {
    return this.#layer;
  }

  get bar(): ScalarBar | undefined {
    if (this.#shown?.tint) return this.#shown.tint.bar;
    const colored = this.#colored;
    return colored && scalarBar(this.#layer.paint, colored.source, colored.range);
  }

  fits({ shape }: Layer): boolean {
    return isSurface(shape);
  }

  /** `drawn` is the layer's surface; where it is left out, the ranks are asked for it, and nobody waits. */
  async set(session: Session, layer: Layer, _: JobContext, drawn?: DrawnByRanks): Promise<LayerSummary> {
    checkPaint(layer.paint);
    if (layer.clip) checkPlane(layer.clip);
    this.#layer = layer;
    this.#center = gridCenter(session.data.dataSet.grid);
    this.#showIf(layer.isVisible);
    if (drawn) await this.#show(drawn);
    else this.#make("surface");
    if (this.#isDisposed) throw cancelled("The layer");
    const { field, color, notes = [] } = drawn?.made ?? {};
    return { field, color, notes };
  }

  adjust({ layer, isReshaped }: Adjusted): void {
    const former = this.#layer;
    const { paint, clip, shape, isVisible } = layer;
    if (paint !== former.paint) checkPaint(paint);
    this.#layer = layer;
    if (isVisible !== former.isVisible) {
      this.#showIf(isVisible);
      this.#events.barsChanged();
    }
    this.#paint();
    const isChosenAnew = paint.range !== former.paint.range || paint.opacity < 1 !== former.paint.opacity < 1;
    const isOther = isReshaped || clip !== former.clip;
    const isRepainted = this.#isDrawnByRanks && (paint !== former.paint || shape !== former.shape);
    if (!isChosenAnew && !isOther && !isRepainted) return;
    if (this.#isDrawnByRanks || isOther) this.#motion.move();
    if (isChosenAnew || !this.#isDrawnByRanks) this.#make("surface");
    else this.#make(isOther ? "step" : "picture");
  }

  /** Colours the surface by rank, or no longer, and has it drawn by whom the person wants. */
  retint(): void {
    this.#make("surface");
  }

  async drawAt(scale: number | undefined): Promise<void> {
    if (scale === undefined) {
      if (this.#isHeld) this.#make("picture");
      this.#isHeld = false;
      return;
    }
    await this.#settled();
    if (!this.#isDrawnByRanks || this.#isDisposed) return;
    this.#isHeld = true;
    const drawn = await this.#required().show(this.#layer, {
      view: this.#viewAt(scale),
      asks: "picture",
    });
    if (!this.#isDisposed) await this.#show(drawn);
  }

  async gather(): Promise<void> {
    await this.#settled();
    if (!this.#isDrawnByRanks || this.#isDisposed) return;
    const { made } = await this.#required().show(this.#layer, { view: undefined });
    this.#gathered = made?.mesh;
  }

  setPlace(place: number): void {
    this.#place = place;
    this.#surface.setPlace(place);
    this.#image?.setPlace(place);
  }

  prepareFrame(): void {
    const { viewNumber } = this.#viewer;
    if (!this.#isDrawnByRanks || this.#isHeld || viewNumber === this.#viewNumber) return;
    if (!this.#layer.isVisible) return;
    this.#viewNumber = viewNumber;
    this.#motion.move();
    this.#make("picture");
  }

  suspend(): void {}

  resume(): void {}

  async triangles(): Promise<number> {
    await this.#settled();
    return this.#layer.isVisible && this.#shown ? (trianglesUpTo(this.#shown.made).at(-1) ?? 0) : 0;
  }

  async readMesh(): Promise<PaintedMesh | undefined> {
    const mesh = this.#gathered ?? this.#shown?.made.mesh;
    this.#gathered = undefined;
    if (!mesh) return undefined;
    const { paint } = this.#layer;
    const colored = this.#colored;
    const colors =
      colored && mesh.scalars
        ? valueColors(mesh.scalars, paint, colored.range)
        : solidColors(mesh.positions.length / 3, paint);
    return { mesh, colors };
  }

  draws(drawable: Hit["drawable"]): boolean {
    return drawable === this.#surface || drawable === this.#image;
  }

  async report(session: Session, hit: Hit): Promise<ProbeReport> {
    const { surfaceReport } = await import("../probe/surface-report.ts");
    if (this.#isDisposed) throw cancelled("The layer");
    const ask: AskPlace = (...place) => this.#required().probe(session, ...place);
    return surfaceReport(session, this.#layer, undefined, this.#center, hit, ask);
  }

  dispose(): void {
    this.#isDisposed = true;
    this.#motion.stop();
    this.#surface.remove();
    this.#image?.remove();
    this.#buffers.dispose();
    this.#shown = undefined;
    this.#gathered = undefined;
  }

  get #isDrawnByRanks(): boolean {
    return this.#shown?.made.choice.isByRanks ?? false;
  }

  #showIf(isVisible: boolean): void {
    this.#surface.setVisible(isVisible);
    this.#image?.setVisible(isVisible);
  }

  #viewAt(scale: number): PictureView {
    return { camera: this.#viewer.camera, viewport: this.#viewer.viewport(scale) };
  }

  /** Resolves when nothing is asked for any more. */
  async #settled(): Promise<void> {
    while (this.#making || this.#motion.isMoving) await (this.#making ?? this.#motion.atRest());
  }

  #make(asks: DrawingStep): void {
    this.#want(asks);
    this.#making ??= this.#makeWhileWanted().finally(() => {
      this.#making = undefined;
    });
  }

  #want(asks: DrawingStep): void {
    const former = this.#wanted;
    if (!former || drawingSteps.indexOf(former) < drawingSteps.indexOf(asks)) this.#wanted = asks;
  }

  async #makeWhileWanted(): Promise<void> {
    while (this.#wanted && !this.#isDisposed) {
      const asks = this.#wanted;
      this.#wanted = undefined;
      this.#viewNumber = this.#viewer.viewNumber;
      try {
        const wanted = { view: this.#viewAt(1), isMoving: this.#motion.isMoving, asks };
        const [layer, start] = [this.#layer, performance.now()];
        const drawn = await this.#required().show(layer, wanted);
        if (this.#isDisposed) return;
        if (isForHost(drawn)) {
          this.#want("surface");
          continue;
        }
        await this.#show(drawn);
        if (wanted.isMoving && !this.#motion.isMoving) this.#refine();
        timePicture(layer, start, drawn);
      } catch (error) {
        if (!this.#isDisposed && !isCancelled(error)) this.#events.failed(error);
      }
    }
  }

  #required(): RankTeam {
    const team = this.#team();
    if (team) return team;
    throw new CrinkleError({
      tag: "Cancelled",
      problem: "The ranks that computed a layer have left.",
      remedy: "This page computes it instead.",
    });
  }

  async #show({ made, picture, view }: DrawnByRanks): Promise<void> {
    if (view && this.#isPresent(view)) this.#viewNumber = this.#viewer.viewNumber;
    // A picture may come late, of a surface that this page draws by now.
    if (picture?.drawing && (made ?? this.#shown?.made)?.choice.isByRanks) {
      this.#image ??= await this.#addImage();
      if (this.#isDisposed) this.#image.remove();
      else this.#image.show(picture.drawing);
    }
    if (made) await this.#take(made);
    if (this.#isDisposed) return;
    this.#viewer.invalidate();
    this.#tell(picture?.bytes);
  }

  /** What was shown in motion is shown in full, by whom it is to be shown at rest. */
  #refine(): void {
    const { choice } = this.#shown?.made ?? {};
    if (choice?.isByRanks) this.#make(choice.holdsAtRest ? "picture" : "surface");
    else this.#tell(undefined);
  }

  /** Reports who has made and drawn what is shown, once it is at rest. */
  #tell(pictureBytes: number | undefined): void {
    const { ranks, choice } = this.#shown?.made ?? {};
    if (!ranks || !choice || this.#isHeld || this.#motion.isMoving) return;
    this.#events.madeByRanks?.(this.#layer, { ranks, choice, pictureBytes });
  }

  #isPresent({ camera, viewport }: PictureView): boolean {
    const { width, height, pixelRatio } = this.#viewer.viewport(1);
    const isSize =
      viewport.width === width && viewport.height === height && viewport.pixelRatio === pixelRatio;
    return isSize && camera === this.#viewer.camera;
  }

  async #addImage(): Promise<DepthImage> {
    const image = await this.#viewer.addDepthImage();
    image.setPlace(this.#place);
    image.setVisible(this.#layer.isVisible);
    return image;
  }

  /** Takes over what the ranks have made anew. */
  async #take(made: MadeForLayer): Promise<void> {
    const { mesh } = made;
    const { paint } = this.#layer;
    const tint = this.#team()?.tints ? rankTint(made.ranks.length, paint.nanColor) : undefined;
    const scalars = mesh?.scalars && hostValues(primitives, mesh.scalars, 1);
    const range = scalars && paint.range === "surface" ? await trimmedRange(scalars, rangeTail) : made.range;
    if (this.#isDisposed) return;
    this.#shown = { made, range, tint };
    if (mesh) {
      const drawn = tint ? tinted(mesh, trianglesUpTo(made)) : mesh;
      await this.#buffers.set(drawn, this.#center, ({ vertices, indices, draw }) => {
        if (!this.#isDisposed) this.#surface.setBuffers({ vertices, indices, indirect: draw });
      });
      this.#image?.show(undefined);
    } else this.#surface.setBuffers(undefined);
    if (!mesh || this.#isDisposed) this.#buffers.dispose();
    if (this.#isDisposed) return;
    this.#paint();
    const counts = {
      triangles: trianglesUpTo(made).at(-1) ?? 0,
      vertices: made.vertices,
      isTruncated: false,
    };
    const [isovalue] = isovaluesOf(this.#layer.shape);
    this.#events.counted(this.#layer, { ...counts, isovalue }, undefined);
  }

  #paint(): void {
    const settings = surfacePaint(this.#layer, this.#colored?.range, 0, this.#center);
    const tint = this.#shown?.tint;
    this.#surface.setPaint(
      tint ? { ...settings, table: tint.table, range: tint.range, scale: "linear" } : settings,
    );
    this.#events.barsChanged();
  }

  /** What the colours stand for; undefined where the layer has a single one. */
  get #colored(): { readonly source: ColorSource; readonly range: readonly [number, number] } | undefined {
    const { paint, colorBy } = this.#layer;
    const { made, range } = this.#shown ?? {};
    if (colorBy === undefined || !made?.color) return undefined;
    const source = { text: colorBy, statistics: made.color };
    return { source, range: colorRange(paint, made.color, range) };
  }
}

/** Whether the ranks have drawn a step whose surface this page is to draw. */
const isForHost = ({ made }: DrawnByRanks): boolean =>
  made !== undefined && !made.choice.isByRanks && made.mesh === undefined;

/** The numbers of the triangles that each rank and those before it made. */
function trianglesUpTo({ ranks }: MadeForLayer): number[] {
  let sum = 0;
  return ranks.map(({ triangles }) => {
    sum += triangles;
    return sum;
  });
}
