import type { Layer, LayerPaint } from "../../core/layers.ts";
import { withoutQuotes } from "../../lang/expression/syntax/quoting.ts";
import type { Context } from "./context.ts";
import { defaultIsovalue } from "./defaults.ts";
import type { Jobs } from "./jobs.ts";
import { isSame } from "./layers/adjustment.ts";
import type { Action } from "./layers/history.ts";
import { createLayerDefaults } from "./layers/layer-defaults.ts";
import { createLayerSync, type LayerSync } from "./layers/layer-sync.ts";
import { freshId } from "./layers/new-layer.ts";
import { usesName } from "./layers/programs.ts";
import { factsOf, histogramField, selectedLayer } from "./layers/state.ts";
import { givenTitle, kindTitles, type LayerKind, titleOf } from "./layers/titles.ts";
import type { Preferences } from "./preferences.ts";

/** Notes the scene as it is, before an action changes it; the note is taken back by what it returns. */
export type RecordAction = (action: Action) => () => void;

export interface LayerActions
  extends Pick<LayerSync, "put" | "select" | "replaceAll" | "clear" | "drawn" | "gone"> {
  /** Adds a layer that shows something, above the others, and selects it; false where it could not be made. */
  add(kind: LayerKind): Promise<boolean>;
  /**
   * Changes a layer. What can be adjusted is drawn by the next frame, and nothing is awaited; the rest is a job, and
   * false where it failed and the layer stayed as it was.
   */
  change(id: string, action: Action, to: (layer: Layer) => Layer): Promise<boolean>;
  changePaint(id: string, action: Action, paint: Partial<LayerPaint>): Promise<boolean>;
  /** Shows an isosurface of a scalar: the selected one, the topmost, or a new one follows it. */
  showField(expression: string): Promise<boolean>;
  /** The same at an isovalue, and not noted. */
  showAt(expression: string, isovalue: number): Promise<boolean>;
  /** An isosurface or a threshold follows another field, or a cut another expression, where it is likely to show something. */
  follow(id: string, field: string): Promise<boolean>;
  /** Another colour field, or none. A range that was set for the former one ends. */
  colorBy(id: string, field: string | undefined): Promise<boolean>;
  /** Makes the layers anew that are of, or coloured by, fields that have been computed again. Not noted. */
  renew(names: readonly string[], except?: string): Promise<void>;
  remove(id: string): void;
  /** Gives a layer a title; an empty one brings back what its shape says. */
  rename(id: string, title: string): void;
  /** Moves a layer to a place in the list, counted from below. */
  move(id: string, place: number): void;
  /** Back to the isovalue that the field started with. */
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

  /** An action that is noted, unless it fails. */
  async function recorded(action: Action, work: () => Promise<boolean>): Promise<boolean> {
    const rollback = recordAction(action);
    const isDone = await work();
    if (!isDone) rollback();
    return isDone;
  }

  /** False, and the error told, where something fails on the way. */
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
    return recorded(action, () => put(latest));
  }

  /** Made anew even where it is the same: its field may have been computed again. */
  async function showAt(expression: string, isovalue: number): Promise<boolean> {
    const isIsosurface = (layer: Layer | undefined) => layer?.shape.kind === "isosurface";
    const selected = selectedLayer(layers());
    const former = isIsosurface(selected) ? selected : layers().list.findLast(isIsosurface);
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
        // Another may have been added meanwhile.
        const layer = { ...(await defaults.layer(kind)), id: freshId(layers().list) };
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
        if (isOfThem && layer.id !== except) await sync.make(find(layer.id) ?? layer);
      }
    },
    remove(id) {
      const layer = find(id);
      if (!layer) return;
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
