import type { Layer, LayerPaint } from "../../core/layers.ts";
import { givenTitle, kindTitles, type LayerKind, titleOf } from "../../engine/layers/titles.ts";
import { usesName } from "../../engine/saved-view/programs.ts";
import { withoutQuotes } from "../../lang/expression/syntax/quoting.ts";
import type { Context } from "./context.ts";
import { defaultIsovalue } from "./defaults.ts";
import type { Jobs } from "./jobs.ts";
import { isSame } from "./layers/adjustment.ts";
import type { Action } from "./layers/history.ts";
import { createLayerDefaults } from "./layers/layer-defaults.ts";
import { createLayerSync, type LayerSync } from "./layers/layer-sync.ts";
import { freshId } from "./layers/new-layer.ts";
import { factsOf, histogramField, selectedLayer } from "./layers/state.ts";
import type { Preferences } from "./preferences.ts";

/** Records the scene before an action changes it. The returned function removes the record. */
export type RecordAction = (action: Action) => () => void;

export interface LayerActions
  extends Pick<
    LayerSync,
    "put" | "select" | "replaceAll" | "clear" | "setLogAxis" | "drawn" | "madeByRanks" | "followed" | "gone"
  > {
  /** Adds a layer that shows something above the others, and selects it. Resolves to false if it could not be made. */
  add(kind: LayerKind): Promise<boolean>;
  /**
   * Changes a layer. What can be adjusted is drawn in the next frame without waiting; any other change is a job.
   * Resolves to false if it failed and the layer stayed as it was.
   */
  change(id: string, action: Action, to: (layer: Layer) => Layer): Promise<boolean>;
  changePaint(id: string, action: Action, paint: Partial<LayerPaint>): Promise<boolean>;
  /** Shows an isosurface of a scalar, by changing the selected one or the topmost, or by adding one. */
  showField(expression: string): Promise<boolean>;
  /** The same at an isovalue, without recording it. */
  showAt(expression: string, isovalue: number): Promise<boolean>;
  /**
   * The same; but a layer that a person has set up, by more than a single isovalue, is hidden and kept, and another is
   * added.
   */
  showResult(expression: string, isovalue: number): Promise<boolean>;
  /** Takes these layers for set up by a person. */
  noteSetUp(layers: readonly Layer[]): void;
  /**
   * Makes an isosurface or a threshold follow another field, or a cut another expression, at values likely to show
   * something.
   */
  follow(id: string, field: string): Promise<boolean>;
  /** Sets another colour field, or none. Drops a range that was set for the previous one. */
  colorBy(id: string, field: string | undefined): Promise<boolean>;
  /** Remakes the layers that show, or are coloured by, fields that have been recomputed. Not recorded. */
  renew(names: readonly string[], except?: string): Promise<void>;
  remove(id: string): void;
  /** Sets a layer's title; an empty one restores the title derived from its shape. */
  rename(id: string, title: string): void;
  /** Moves a layer to an index in the list, counted from below. */
  move(id: string, place: number): void;
  /** Restores the isovalue with which the field started. */
  resetIsovalue(id: string): void;
}

export function createLayerActions(
  context: Context,
  jobs: Jobs,
  recordAction: RecordAction,
  preferences: Pick<Preferences, "saveColors">,
): LayerActions {
  const { store, patch, fail } = context;
  const sync = createLayerSync(context, jobs);
  const defaults = createLayerDefaults(context);
  const { find, put } = sync;
  const layers = () => store.getState().layers;
  /** The ids of layers that a person has set up. */
  const setUp = new Set<string>();

  /** Runs an action, and records it unless it fails. */
  async function recorded(action: Action, work: () => Promise<boolean>): Promise<boolean> {
    const rollback = recordAction(action);
    const isDone = await work();
    if (!isDone) rollback();
    return isDone;
  }

  /** Reports an error and resolves to false if `work` fails. */
  async function attempt(work: () => Promise<boolean>): Promise<boolean> {
    try {
      return await work();
    } catch (error) {
      fail("layer", error);
      return false;
    }
  }

  async function change(id: string, action: Action, to: (layer: Layer) => Layer): Promise<boolean> {
    const former = find(id);
    const latest = former && to(former);
    if (!latest || isSame(former, latest)) return true;
    if (!isSame(withoutIsovalue(former), withoutIsovalue(latest))) setUp.add(id);
    return recorded(action, () => put(latest));
  }

  /** The selected isosurface, or the topmost one. */
  function shownIsosurface(): Layer | undefined {
    const isIsosurface = (layer: Layer | undefined) => layer?.shape.kind === "isosurface";
    const selected = selectedLayer(layers());
    return isIsosurface(selected) ? selected : layers().list.findLast(isIsosurface);
  }

  /** Remakes the layer even if it is the same, because its field may have been recomputed. */
  async function showAt(expression: string, isovalue: number): Promise<boolean> {
    const former = shownIsosurface();
    const fresh = defaults.isosurface(expression, isovalue, former?.id);
    patch("layers", { selected: fresh.id });
    if (former?.shape.kind !== "isosurface") return sync.make(fresh);
    const shape = { ...former.shape, field: expression, isovalues: [isovalue] };
    return sync.make({ ...former, isVisible: true, shape });
  }

  return {
    ...sync,
    change,
    changePaint(id, action, paint) {
      const { map, reversed, nanColor } = { ...store.getState().paint, ...paint };
      store.setState(({ paint }) => ({ paint: { ...paint, map, reversed, nanColor } }));
      preferences.saveColors({ map, reversed, nanColor });
      return change(id, action, (layer) => ({ ...layer, paint: { ...layer.paint, ...paint } }));
    },
    add: (kind) =>
      attempt(async () => {
        // Another layer may have been added meanwhile.
        const layer = { ...(await defaults.layer(kind)), id: freshId(layers().list) };
        setUp.add(layer.id);
        return recorded({ name: `add ${kindTitles[kind].toLowerCase()}` }, async () => {
          const { selected } = layers();
          patch("layers", { selected: layer.id });
          const isMade = await put(layer);
          if (!isMade) patch("layers", { selected });
          return isMade;
        });
      }),
    showField: (expression) =>
      attempt(async () => {
        const isovalue = await defaults.isovalue(expression);
        return recorded({ name: `show ${withoutQuotes(expression)}` }, () => showAt(expression, isovalue));
      }),
    showAt: (expression, isovalue) => attempt(() => showAt(expression, isovalue)),
    showResult: (expression, isovalue) =>
      attempt(async () => {
        const former = shownIsosurface();
        const isItsOwn = former?.shape.kind === "isosurface" && former.shape.field === expression;
        if (!former || isItsOwn || !setUp.has(former.id)) return showAt(expression, isovalue);
        const fresh = defaults.isosurface(expression, isovalue, undefined);
        await put({ ...former, isVisible: false });
        patch("layers", { selected: fresh.id });
        return sync.make(fresh);
      }),
    noteSetUp(list) {
      for (const { id } of list) setUp.add(id);
    },
    follow: (id, field) =>
      attempt(async () => {
        const layer = find(id);
        if (!layer) return false;
        const shape = await defaults.follow(layer.shape, field);
        const name = shape.kind === "cut" ? "cut expression" : "field";
        return change(id, { name }, (former) => ({ ...former, shape }));
      }),
    colorBy: (id, field) =>
      change(id, { name: "colour field" }, (layer) => ({
        ...layer,
        colorBy: field,
        paint: { ...layer.paint, range: layer.paint.range === "surface" ? "surface" : undefined },
      })),
    async renew(names, except) {
      for (const layer of layers().list) {
        const expressions = [histogramField(layer), layer.colorBy].filter((text) => text !== undefined);
        const isOfThem = names.some((name) => expressions.some((text) => usesName(text, name)));
        if (!isOfThem || layer.id === except) continue;
        const present = find(layer.id) ?? layer;
        await sync.make({ ...present, shape: await defaults.within(present.shape) });
      }
    },
    clear() {
      setUp.clear();
      sync.clear();
    },
    remove(id) {
      const layer = find(id);
      if (!layer) return;
      setUp.delete(id);
      recordAction({ name: `remove ${titleOf(layer)}` });
      sync.remove(id);
    },
    rename(id, text) {
      const layer = find(id);
      if (!layer) return;
      const title = givenTitle(text, layer.shape);
      void change(id, { name: `rename ${titleOf(layer)}` }, (former) => ({ ...former, title }));
    },
    move(id, place) {
      const { list } = layers();
      const layer = find(id);
      const others = list.filter((other) => other !== layer);
      const to = Math.min(others.length, Math.max(0, place));
      if (!layer || list[to] === layer) return;
      recordAction({ name: "order" });
      sync.order([...others.slice(0, to), layer, ...others.slice(to)]);
    },
    resetIsovalue(id) {
      const layer = find(id);
      const { field } = factsOf(layers(), id);
      if (layer?.shape.kind !== "isosurface" || !field) return;
      const value = defaultIsovalue(field, defaults.definition(layer.shape.field));
      const shape = { ...layer.shape, isovalues: [value] };
      void change(id, { name: "isovalue" }, (former) => ({ ...former, shape }));
    },
  };
}

/** What of a layer a drag of its single isovalue, or hiding it, leaves as it is. */
function withoutIsovalue(layer: Layer): Layer {
  const { shape } = layer;
  const isSingle = shape.kind === "isosurface" && shape.isovalues.length === 1;
  return { ...layer, isVisible: true, shape: isSingle ? { ...shape, isovalues: [] } : shape };
}
