import { cancelled, isCancelled } from "../../core/errors.ts";
import type { JobContext } from "../../core/job.ts";
import type { Layer } from "../../core/layers.ts";
import type { ScalarBar } from "../../core/view.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import type { Hit, Viewer } from "../../viewer/viewer.ts";
import type { LayerBar, LayerSummary, ProbeReport } from "../api.ts";
import type { DrawnByRanks } from "../ranks/draw-job.ts";
import type { RankTeam } from "../ranks/team.ts";
import type { Session } from "../session.ts";
import type { Adjusted } from "./adjust.ts";
import type { LayerMesh, LayerView, LayerViewEvents } from "./layer-view.ts";
import { isFlat } from "./shape-surface.ts";
import { SurfaceLayer } from "./surface-layer.ts";

export interface LayerViewsEvents extends Pick<LayerViewEvents, "counted" | "madeByRanks" | "failed"> {
  barsChanged(bars: readonly LayerBar[]): void;
  /** A picture is about to be drawn: what is submitted now, it shows. */
  beforeFrame?(): void;
}

/** The layers on the screen, from bottom to top. */
export class LayerViews {
  readonly #gpu: GpuContext;
  readonly #viewer: Viewer;
  readonly #events: LayerViewsEvents;
  readonly #team: () => RankTeam | undefined;
  #views: readonly LayerView[] = [];
  #toldBars = "[]";
  #areBarsDue = false;

  /** `team` says which ranks make layers now; undefined where this page does. */
  constructor(gpu: GpuContext, viewer: Viewer, team: () => RankTeam | undefined, events: LayerViewsEvents) {
    this.#gpu = gpu;
    this.#team = team;
    this.#viewer = viewer;
    this.#events = events;
    viewer.onBeforeFrame = () => {
      events.beforeFrame?.();
      for (const view of this.#views) view.prepareFrame();
    };
  }

  /** One scalar bar for each way of colouring among the visible layers. */
  get bars(): readonly LayerBar[] {
    const bars: LayerBar[] = [];
    for (const { layer, bar } of this.#views) {
      if (bar && layer.isVisible && !bars.some((other) => isSameBar(other.bar, bar)))
        bars.push({ id: layer.id, bar });
    }
    return bars;
  }

  /**
   * Adds a layer above the others, or changes the one with its id. The previous one stays if the new one cannot be
   * made.
   */
  async set(session: Session, layer: Layer, job: JobContext, made?: DrawnByRanks): Promise<LayerSummary> {
    const former = this.#get(layer.id);
    const isRanked = this.#team()?.makes(layer) ?? false;
    if (former?.isRanked === isRanked && former.fits(layer)) return former.set(session, layer, job, made);
    const view = await this.#create(layer, isRanked);
    try {
      const summary = await view.set(session, layer, job, made);
      const present = this.#get(layer.id);
      this.#views = present
        ? this.#views.map((other) => (other === present ? view : other))
        : [...this.#views, view];
      present?.dispose();
      if (present?.isRanked && !isRanked) this.#events.madeByRanks?.(layer, undefined);
      this.#placed();
      return summary;
    } catch (error) {
      view.dispose();
      throw error;
    }
  }

  adjust(adjusted: Adjusted): void {
    this.#get(adjusted.layer.id)?.adjust(adjusted);
  }

  remove(id: string): void {
    const gone = this.#get(id);
    if (!gone) return;
    this.#views = this.#views.filter((view) => view !== gone);
    gone.dispose();
    this.#placed();
  }

  order(ids: readonly string[]): void {
    const named = ids.flatMap((id) => this.#get(id) ?? []);
    this.#views = [...new Set([...named, ...this.#views])];
    this.#placed();
  }

  clear(): void {
    for (const { layer } of this.#views) this.remove(layer.id);
  }

  /** The ranks that make layers have changed how they colour them. */
  retint(): void {
    for (const view of this.#views) view.retint?.();
    this.#barsChanged();
  }

  /** The fields of the data set have other values from now on: the next frame shows them. */
  fieldsChanged(): void {
    for (const view of this.#views) view.fieldsChanged?.();
    this.#viewer.invalidate();
  }

  /** The layers that show what was computed from fields, which does not follow these by itself. */
  get computed(): readonly Layer[] {
    return this.#views.filter(({ isComputed }) => isComputed).map(({ layer }) => layer);
  }

  /** Runs `work`, which saves a picture at so many times the screen's pixels. */
  async atScale<T>(scale: number, work: () => Promise<T>): Promise<T> {
    const views = this.#views;
    try {
      for (const view of views) await view.drawAt?.(scale);
      return await work();
    } finally {
      for (const view of views) await view.drawAt?.(undefined);
    }
  }

  /** Gathers what ranks have of a layer, or of all visible ones, for `readMeshes`. */
  async gather(id?: string): Promise<void> {
    for (const view of this.#views)
      if (id === undefined ? view.layer.isVisible : view.layer.id === id) await view.gather?.();
  }

  /** Runs `work`, which may free fields that layers read; meanwhile frames show the layers unchanged. */
  async held<T>(work: () => Promise<T>): Promise<T> {
    for (const view of this.#views) view.suspend();
    try {
      return await work();
    } finally {
      for (const view of this.#views) view.resume();
    }
  }

  /** Triangles of all visible layers, once the GPU has counted them. */
  async triangles(): Promise<number> {
    let sum = 0;
    for (const view of this.#views) sum += (await this.#ask(view, () => view.triangles())) ?? 0;
    return sum;
  }

  /** The mesh of a layer, or those of all visible ones. Throws Cancelled if the single layer is removed meanwhile. */
  async readMeshes(id?: string): Promise<readonly LayerMesh[]> {
    const meshes: LayerMesh[] = [];
    for (const view of this.#views) {
      if (id === undefined ? !view.layer.isVisible : view.layer.id !== id) continue;
      const mesh = await this.#ask(view, () => view.readMesh());
      if (id !== undefined && this.#isGone(view)) throw cancelled("The layer");
      const { colorBy, shape } = view.layer;
      if (mesh) meshes.push({ ...mesh, scalarName: colorBy, isFlat: isFlat(shape) });
    }
    return meshes;
  }

  /** Reports on what was hit in the picture; undefined if its layer has been removed by then. Throws DeviceLost. */
  async report(session: Session, hit: Hit): Promise<ProbeReport | undefined> {
    const view = this.#views.find((view) => view.draws(hit.drawable));
    if (!view) return undefined;
    try {
      return await this.#ask(view, () => view.report(session, hit));
    } catch (error) {
      if (isCancelled(error)) return undefined;
      throw error;
    }
  }

  /** A view's answer; undefined if the view has been removed by then. */
  async #ask<T>(view: LayerView, question: () => Promise<T>): Promise<T | undefined> {
    if (this.#isGone(view)) return undefined;
    try {
      const answer = await question();
      return this.#isGone(view) ? undefined : answer;
    } catch (error) {
      if (this.#isGone(view)) return undefined;
      throw error;
    }
  }

  #isGone(view: LayerView): boolean {
    return !this.#views.includes(view);
  }

  #get(id: string): LayerView | undefined {
    return this.#views.find((view) => view.layer.id === id);
  }

  async #create(layer: Layer, isRanked: boolean): Promise<LayerView> {
    const events = {
      counted: this.#events.counted,
      madeByRanks: this.#events.madeByRanks,
      failed: this.#events.failed,
      barsChanged: () => this.#barsChanged(),
    };
    if (isRanked) {
      const { RankedLayer } = await import("./ranked-layer.ts");
      return new RankedLayer(this.#gpu, this.#viewer, layer, this.#team, events);
    }
    if (layer.shape.kind === "image") {
      const { ImageLayer } = await import("./image-layer.ts");
      return new ImageLayer(await this.#viewer.addImage(), layer, events);
    }
    if (layer.shape.kind !== "points") return SurfaceLayer.create(this.#gpu, this.#viewer, layer, events);
    const { PointsLayer } = await import("../points/points-layer.ts");
    return new PointsLayer(this.#gpu, await this.#viewer.addPoints(), layer, events);
  }

  #placed(): void {
    for (const [place, view] of this.#views.entries()) view.setPlace(place);
    this.#barsChanged();
  }

  /** Reports the bars once for changes that happen together, if they differ from those reported last. */
  #barsChanged(): void {
    if (this.#areBarsDue) return;
    this.#areBarsDue = true;
    queueMicrotask(() => {
      this.#areBarsDue = false;
      const { bars } = this;
      const text = JSON.stringify(bars);
      if (text === this.#toldBars) return;
      this.#toldBars = text;
      this.#events.barsChanged(bars);
    });
  }
}

function isSameBar(a: ScalarBar, b: ScalarBar): boolean {
  return (
    a.title === b.title &&
    a.min === b.min &&
    a.max === b.max &&
    a.nanColor === b.nanColor &&
    a.colors.every((color, i) => color === b.colors[i])
  );
}
