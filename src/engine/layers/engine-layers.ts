import { CrinkleError, cancelled } from "../../core/errors.ts";
import { type JobContext, noJob } from "../../core/job.ts";
import { isSurface, type Layer } from "../../core/layers.ts";
import { namesRead } from "../../lang/expression/results.ts";
import type { LayerAdjustment, LayerSummary } from "../api.ts";
import { nodeScalar } from "../node-scalar.ts";
import type { DrawnByRanks } from "../ranks/draw-job.ts";
import type { Session } from "../session.ts";
import { adjust } from "./adjust.ts";
import { followField } from "./follow-field.ts";
import { LayerList } from "./layer-list.ts";
import type { LayerMesh, PaintedMesh } from "./layer-view.ts";
import type { LayerViews } from "./layer-views.ts";
import { checkPaint, colorRange, solidColors, valueColors } from "./paint.ts";
import { evaluateShape, isFlat, shapeField } from "./shape-surface.ts";

/** Is notified of changes of layers that nobody asked for. */
export interface LayerListener {
  /** A layer was removed, because something that it shows was removed or can no longer be shown. */
  gone(id: string, note: string): void;
  /** A layer follows a field that has other components than before. */
  followed(layer: Layer): void;
}

/** The layers of an engine, and their views if there is a picture. */
export class EngineLayers {
  readonly #list = new LayerList();
  /** Number of removals of each layer. */
  readonly #removals = new Map<string, number>();
  /** Number of removals of all layers together. */
  #clears = 0;
  readonly #listener: Partial<LayerListener>;
  /** The views of the layers; undefined while there is no picture. */
  views: LayerViews | undefined;

  constructor(listener: Partial<LayerListener> = {}) {
    this.#listener = listener;
  }

  get all(): readonly Layer[] {
    return this.#list.all;
  }

  /** Returns a function that says whether a layer has been removed since this call, for a later `set`. */
  expect(id: string): () => boolean {
    const removals = this.#removals.get(id);
    const clears = this.#clears;
    return () => this.#removals.get(id) === removals && this.#clears === clears;
  }

  /** Throws Cancelled if the layer is removed meanwhile. */
  async set(
    session: Session,
    layer: Layer,
    job: JobContext,
    isWanted: () => boolean,
    made?: DrawnByRanks,
  ): Promise<LayerSummary> {
    const { views } = this;
    if (!isWanted()) throw cancelled("The layer");
    const summary = views
      ? await views.set(session, layer, job, made)
      : await withoutPicture(session, layer, job);
    if (!isWanted()) {
      views?.remove(layer.id);
      throw cancelled("The layer");
    }
    this.#list.put(layer);
    return summary;
  }

  adjust(id: string, adjustment: LayerAdjustment): void {
    const former = this.#list.get(id);
    if (!former) return;
    const adjusted = adjust(former, adjustment);
    if (this.views) this.views.adjust(adjusted);
    else checkPaint(adjusted.layer.paint);
    this.#list.put(adjusted.layer);
  }

  remove(id: string): void {
    this.#removals.set(id, (this.#removals.get(id) ?? 0) + 1);
    this.#list.remove(id);
    this.views?.remove(id);
  }

  order(ids: readonly string[]): void {
    this.#list.order(ids);
    this.views?.order(ids);
  }

  clear(): void {
    this.#clears++;
    this.#list.clear();
    this.views?.clear();
  }

  /** Removes the layers that show a field which is being removed. */
  removeUsing(name: string): void {
    for (const id of this.#readersOf([name])) {
      this.remove(id);
      this.#listener.gone?.(id, `A layer was removed, because it showed “${name}”, which has been removed.`);
    }
  }

  /** Runs `work`, which may free fields that layers read. */
  held<T>(work: () => Promise<T>): Promise<T> {
    return this.views ? this.views.held(work) : work();
  }

  /**
   * Shows the layers again that use one of these changed fields; where a field has other components than before, its
   * layers show its value or magnitude. Throws if one of them cannot be shown.
   */
  async refresh(session: Session, names: readonly string[], job: JobContext): Promise<void> {
    for (const field of session.signatures().filter(({ name }) => names.includes(name))) {
      for (const id of this.#readersOf([field.name])) {
        const layer = this.#list.get(id);
        const following = layer && followField(layer, field);
        if (!following || following === layer) continue;
        this.#list.put(following);
        this.#listener.followed?.(following);
      }
    }
    await this.#setAgain(session, this.#readersOf(names), job);
  }

  /** Computes again what layers show of fields whose values have changed in place. Throws if one of them cannot be shown. */
  async recompute(session: Session): Promise<void> {
    const ids = this.views?.computed.map(({ id }) => id) ?? [];
    await this.#setAgain(session, ids, noJob);
  }

  /** Shows all layers in new views. Throws if one of them cannot be shown. */
  async show(session: Session, job: JobContext): Promise<void> {
    await this.#setAgain(
      session,
      this.#list.all.map(({ id }) => id),
      job,
    );
    this.views?.order(this.#list.all.map(({ id }) => id));
  }

  /** The visible part of a layer, or of all visible ones, as meshes. Throws BadArgument if there is none. */
  async meshes(session: Session, id: string | undefined, job: JobContext): Promise<readonly LayerMesh[]> {
    const asked = this.#list.all.filter((layer) => (id === undefined ? layer.isVisible : layer.id === id));
    if (asked.length === 0) throw nothingShown();
    if (this.views) return this.views.readMeshes(id);
    const meshes: LayerMesh[] = [];
    for (const layer of asked) {
      const { colorBy, shape } = layer;
      meshes.push({ ...(await hostMesh(session, layer, job)), scalarName: colorBy, isFlat: isFlat(shape) });
    }
    return meshes;
  }

  /** The ids of layers whose expressions use one of these names. */
  #readersOf(names: readonly string[]): readonly string[] {
    return this.#list.all.flatMap(({ id, shape, colorBy }) => {
      const texts = [shapeField(shape), colorBy].filter((text) => text !== undefined);
      const read = texts.flatMap((text) => [...namesRead(text)]);
      return names.some((name) => read.includes(name)) ? [id] : [];
    });
  }

  async #setAgain(session: Session, ids: readonly string[], job: JobContext): Promise<void> {
    let failure: { readonly error: unknown } | undefined;
    for (const id of ids) {
      const layer = this.#list.get(id);
      if (!layer) continue;
      try {
        await this.views?.set(session, layer, job);
      } catch (error) {
        // A lost device takes all layers along; they return with the next one.
        if (await session.isLost()) throw error;
        failure ??= { error };
        this.remove(id);
        this.#listener.gone?.(
          id,
          "A layer was removed, because its field has changed and the layer cannot show it.",
        );
      }
    }
    if (failure) throw failure.error;
  }
}

export const nothingShown = (): CrinkleError =>
  new CrinkleError({
    tag: "BadArgument",
    problem: "No surface is shown.",
    remedy: "Add a layer, or show one that is hidden.",
  });

/** The summary of a set layer when nothing can be drawn. */
async function withoutPicture(session: Session, layer: Layer, job: JobContext): Promise<LayerSummary> {
  const field = await evaluateShape(session, layer.shape, job);
  field?.release();
  const color = layer.colorBy === undefined ? undefined : await nodeScalar(session, layer.colorBy, job);
  color?.release();
  return {
    field: field?.statistics,
    color: color?.statistics,
    notes: [
      ...(field?.notes ?? []),
      ...(color?.notes ?? []),
      "Nothing is drawn without a GPU, but the mesh can be exported.",
    ],
  };
}

/** The mesh of a layer, made from the session's data. */
async function hostMesh(
  session: Session,
  { shape, colorBy, paint, clip }: Layer,
  job: JobContext,
): Promise<PaintedMesh> {
  if (!isSurface(shape)) {
    throw new CrinkleError({
      tag: "BadArgument",
      problem: `${shape.kind === "points" ? "Points have" : "An image has"} no surface to export.`,
      remedy: "Export a field, or show a surface.",
    });
  }
  // Loaded when a mesh is exported although nothing is drawn.
  const { surfaceMesh } = await import("../surface-mesh.ts");
  const { mesh } = await surfaceMesh(session, { shape, colorBy, clip }, job);
  if (!mesh.scalars || colorBy === undefined)
    return { mesh, colors: solidColors(mesh.positions.length / 3, paint) };
  const color = await nodeScalar(session, colorBy, job);
  color.release();
  return { mesh, colors: valueColors(mesh.scalars, paint, colorRange(paint, color.statistics, undefined)) };
}
