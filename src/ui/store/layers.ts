import type { Layer, LayerPaint, LayerShape } from "../../core/layers.ts";
import type { Statistics } from "../../core/statistics.ts";
import type { EngineEvent } from "../../engine/api.ts";
import { withoutQuotes } from "../../lang/expression/syntax/quoting.ts";
import type { Context } from "./context.ts";
import { defaultColorBy, defaultIsovalue, firstChoice } from "./defaults.ts";
import { findChoice, wholeField } from "./field-choice.ts";
import type { Jobs } from "./jobs.ts";
import { adjustmentBetween, isSame } from "./layers/adjustment.ts";
import type { Deed } from "./layers/history.ts";
import { freshId, isosurface, newLayer, solidColor } from "./layers/new-layer.ts";
import {
  factsOf,
  findLayer,
  histogramField,
  type LayerFacts,
  noFacts,
  noLayers,
  selectedLayer,
} from "./layers/state.ts";
import { kindTitles, type LayerKind, titleOf } from "./layers/titles.ts";
import type { Preferences } from "./preferences.ts";
import { allFields } from "./select.ts";
import { layersSentence, whyNoIsosurface } from "./sentences.ts";

/** Notes the scene as it is, before a deed changes it; the note is taken back by what it returns. */
export type Note = (deed: Deed) => () => void;

export interface LayerActions {
  /** Adds a layer that shows something, above the others, and selects it; false where it could not be made. */
  add(kind: LayerKind): Promise<boolean>;
  /** Puts a layer in place of the one with its id, or above all; false where it could not be made. Not noted. */
  put(layer: Layer): Promise<boolean>;
  /**
   * Changes a layer. What can be adjusted is drawn by the next frame, and nothing is awaited; the rest is a job, and
   * false where it failed and the layer stayed as it was.
   */
  change(id: string, deed: Deed, to: (layer: Layer) => Layer): Promise<boolean>;
  changePaint(id: string, deed: Deed, paint: Partial<LayerPaint>): Promise<boolean>;
  /** Shows an isosurface of a scalar: the selected one, the topmost, or a new one follows it. */
  showField(expression: string): Promise<boolean>;
  /** The same at an isovalue, and not noted. */
  showAt(expression: string, isovalue: number): Promise<boolean>;
  /** An isosurface or a threshold follows another field, where it is likely to show something. */
  follow(id: string, field: string): Promise<boolean>;
  /** Another colour field, or none. A range that was set for the former one ends. */
  colorBy(id: string, field: string | undefined): Promise<boolean>;
  remove(id: string): void;
  /** Moves a layer to a place in the list, counted from below. */
  move(id: string, place: number): void;
  select(id: string | undefined): void;
  /** Puts all layers in place of those that are there, in as few calls as it takes. Not noted. */
  replaceAll(layers: readonly Layer[], selected: string | undefined): Promise<void>;
  /** Back to the isovalue that the field started with. */
  resetIsovalue(id: string): void;
  /** Forgets all: the engine has none of them any more. */
  clear(): void;
  drawn(event: Extract<EngineEvent, { kind: "layer" }>): void;
  /** The engine has taken a layer away. */
  gone(event: Extract<EngineEvent, { kind: "layerGone" }>): void;
}

/** A shape that follows another field. */
function withField(shape: LayerShape, field: string, isovalue: number, max: number): LayerShape {
  if (shape.kind === "isosurface") return { ...shape, field, isovalues: [isovalue] };
  return shape.kind === "threshold" ? { ...shape, field, range: [isovalue, max] } : shape;
}

/** Counts of a drag's frames reach the status line this often at most. */
const sentenceIntervalMs = 200;

export function createLayerActions(
  context: Context,
  jobs: Jobs,
  note: Note,
  preferences: Pick<Preferences, "saveColors">,
): LayerActions {
  const { engine, store, patch, announce, fail, send, succeed } = context;
  const calls = new Map<string, number>();
  /** As the engine has them. */
  const made = new Map<string, Layer>();
  let sentenceTimer: ReturnType<typeof setTimeout> | undefined;

  const layers = () => store.getState().layers;
  const find = (id: string) => findLayer(layers(), id);

  function nextCall(id: string): number {
    const call = (calls.get(id) ?? 0) + 1;
    calls.set(id, call);
    return call;
  }

  function setLayer(layer: Layer): void {
    const { list, selected = layer.id } = layers();
    const isThere = list.some(({ id }) => id === layer.id);
    patch("layers", {
      selected,
      list: isThere ? list.map((other) => (other.id === layer.id ? layer : other)) : [...list, layer],
    });
  }

  function setFacts(id: string, change: Partial<LayerFacts>): void {
    const { facts } = layers();
    patch("layers", { facts: { ...facts, [id]: { ...(facts[id] ?? noFacts), ...change } } });
  }

  function drop(id: string): void {
    const { list, selected, facts } = layers();
    const at = list.findIndex((layer) => layer.id === id);
    const rest = list.filter((layer) => layer.id !== id);
    const { [id]: _, ...others } = facts;
    const neighbour = rest[Math.min(at, rest.length - 1)]?.id;
    patch("layers", { list: rest, facts: others, selected: selected === id ? neighbour : selected });
    nextCall(id);
    made.delete(id);
    writeSentence();
  }

  async function make(layer: Layer): Promise<boolean> {
    const { id } = layer;
    const call = nextCall(id);
    setLayer(layer);
    setFacts(id, { isPending: true });
    try {
      const summary = await jobs.track("layer", () => engine.setLayer(layer));
      const former = made.get(id);
      if (call !== calls.get(id)) {
        if (find(id)) made.set(id, layer);
        return true;
      }
      made.set(id, layer);
      const isSameField = former && histogramField(former) === histogramField(layer);
      setFacts(id, {
        isPending: false,
        field: summary.field,
        color: summary.color,
        notes: summary.notes,
        ...(isSameField ? {} : { histogram: undefined }),
      });
      succeed("layer");
      if (layer.shape.kind === "isosurface" && summary.field) {
        const why = whyNoIsosurface(layer.shape.field, summary.field);
        // Nothing is extracted at an isovalue that is no number: no counts will come.
        if (why) setFacts(id, { counts: { triangles: 0, isovalue: layer.shape.isovalues[0] } });
      }
      adjust(find(id) ?? layer);
      writeSentence();
      send("layer", fetchHistogram(layer));
      return true;
    } catch (error) {
      if (call === calls.get(id)) {
        setFacts(id, { isPending: false });
        const former = made.get(id);
        if (former) setLayer(former);
        else drop(id);
      }
      fail("layer", error);
      return false;
    }
  }

  /** Brings the engine's layer, which is there, to what it should be. */
  function adjust(latest: Layer): void {
    const former = made.get(latest.id);
    const adjustment = former && adjustmentBetween(former, latest);
    if (!adjustment) return;
    made.set(latest.id, latest);
    if (Object.keys(adjustment).length > 0) send("layer", engine.adjustLayer(latest.id, adjustment));
  }

  async function fetchHistogram(layer: Layer): Promise<void> {
    const field = histogramField(layer);
    if (field === undefined) return;
    const histogram = await engine.histogram(field);
    const latest = find(layer.id);
    if (latest && histogramField(latest) === field) setFacts(layer.id, { histogram });
  }

  async function put(latest: Layer): Promise<boolean> {
    const former = find(latest.id);
    if (!former || !adjustmentBetween(former, latest)) return make(latest);
    setLayer(latest);
    planSentence();
    if (!factsOf(layers(), latest.id).isPending) adjust(latest);
    return true;
  }

  async function change(id: string, deed: Deed, to: (layer: Layer) => Layer): Promise<boolean> {
    const former = find(id);
    const latest = former && to(former);
    if (!former || !latest || isSame(former, latest)) return true;
    const takeBack = note(deed);
    const isMade = await put(latest);
    if (!isMade) takeBack();
    return isMade;
  }

  /** The range of a vector's component is known to the engine alone. */
  async function rangeOf(expression: string): Promise<Pick<Statistics, "min" | "max"> & Partial<Statistics>> {
    const choice = findChoice(allFields(store.getState()), expression);
    return choice?.statistics ?? (await engine.histogram(expression));
  }

  /** A colour that says more than the field itself. */
  function firstColor(expression: string): string | undefined {
    const fields = allFields(store.getState());
    return defaultColorBy(fields, findChoice(fields, expression)?.source ?? "");
  }

  function definitionOf(expression: string): string | undefined {
    const { derived } = store.getState().data;
    return derived.find((field) => wholeField(field) === expression)?.expression;
  }

  /** What a new layer follows: what the selected one is of, else the most promising field. */
  async function beginning(kind: LayerKind): Promise<Parameters<typeof newLayer>[2]> {
    const { data, paint } = store.getState();
    const selected = selectedLayer(layers());
    const own = selected && histogramField(selected);
    const expression =
      (kind === "isosurface" || kind === "threshold" ? own : (selected?.colorBy ?? own)) ??
      firstChoice(allFields(store.getState()))?.expression;
    const field = expression && {
      expression,
      range: await rangeOf(expression),
      definition: definitionOf(expression),
    };
    const bounds = data.dataSet?.grid?.bounds ?? data.dataSet?.points?.bounds ?? [0, 1, 0, 1, 0, 1];
    return { bounds, field: field || undefined, paint: { ...paint, solid: solidColor(layers().list) } };
  }

  const isovalueOf = async (expression: string) =>
    defaultIsovalue(await rangeOf(expression), definitionOf(expression));

  async function showAt(expression: string, isovalue: number): Promise<boolean> {
    const { list } = layers();
    const isIsosurface = (layer: Layer | undefined) => layer?.shape.kind === "isosurface";
    const selected = selectedLayer(layers());
    const former = isIsosurface(selected) ? selected : list.findLast(isIsosurface);
    const begun = { field: expression, isovalue, colorBy: firstColor(expression) };
    const paint = { ...store.getState().paint, solid: solidColor(list) };
    const fresh = isosurface(former?.id ?? freshId(list), begun, paint);
    patch("layers", { selected: fresh.id });
    if (!former) return put(fresh);
    return put({
      ...former,
      isVisible: true,
      shape: withField(former.shape, expression, isovalue, isovalue),
    });
  }

  function planSentence(): void {
    sentenceTimer ??= setTimeout(writeSentence, sentenceIntervalMs);
  }

  function writeSentence(): void {
    clearTimeout(sentenceTimer);
    sentenceTimer = undefined;
    patch("status", { layers: layersSentence(layers()) });
  }

  return {
    put,
    change,
    changePaint(id, deed, paint) {
      const { map, reversed, nanColor } = { ...store.getState().paint, ...paint };
      store.setState(({ paint }) => ({ paint: { ...paint, map, reversed, nanColor } }));
      preferences.saveColors({ map, reversed, nanColor });
      return change(id, deed, (layer) => ({ ...layer, paint: { ...layer.paint, ...paint } }));
    },
    async add(kind) {
      try {
        const layer = newLayer(kind, freshId(layers().list), await beginning(kind));
        const takeBack = note({ name: `add ${kindTitles[kind].toLowerCase()}` });
        const { selected } = layers();
        patch("layers", { selected: layer.id });
        const isMade = await make(layer);
        if (!isMade) {
          takeBack();
          patch("layers", { selected });
        }
        return isMade;
      } catch (error) {
        fail("layer", error);
        return false;
      }
    },
    async showField(expression) {
      try {
        const isovalue = await isovalueOf(expression);
        const takeBack = note({ name: `show ${withoutQuotes(expression)}` });
        const isMade = await showAt(expression, isovalue);
        if (!isMade) takeBack();
        return isMade;
      } catch (error) {
        fail("layer", error);
        return false;
      }
    },
    showAt,
    async follow(id, field) {
      try {
        const isovalue = await isovalueOf(field);
        const { max } = await rangeOf(field);
        return await change(id, { name: "field" }, (layer) => ({
          ...layer,
          shape: withField(layer.shape, field, isovalue, max),
        }));
      } catch (error) {
        fail("layer", error);
        return false;
      }
    },
    colorBy: (id, field) =>
      change(id, { name: "colour field" }, (layer) => ({
        ...layer,
        colorBy: field,
        paint: { ...layer.paint, range: layer.paint.range === "surface" ? "surface" : undefined },
      })),
    remove(id) {
      const layer = find(id);
      if (!layer) return;
      note({ name: `remove ${titleOf(layer)}` });
      drop(id);
      send("layer", engine.removeLayer(id));
    },
    move(id, place) {
      const { list } = layers();
      const layer = find(id);
      const others = list.filter((other) => other !== layer);
      const to = Math.min(others.length, Math.max(0, place));
      if (!layer || list[to] === layer) return;
      note({ name: "order" });
      const ordered = [...others.slice(0, to), layer, ...others.slice(to)];
      patch("layers", { list: ordered });
      send("layer", engine.orderLayers(ordered.map(({ id }) => id)));
    },
    select(id) {
      patch("layers", { selected: id });
      writeSentence();
    },
    async replaceAll(latest, selected) {
      const kept = new Set(latest.map(({ id }) => id));
      for (const { id } of layers().list.filter(({ id }) => !kept.has(id))) {
        drop(id);
        send("layer", engine.removeLayer(id));
      }
      for (const layer of latest) await put(layer);
      const { list } = layers();
      const ordered = latest.flatMap(({ id }) => find(id) ?? []);
      if (ordered.length === list.length && ordered.some((layer, i) => layer !== list[i])) {
        patch("layers", { list: ordered });
        send("layer", engine.orderLayers(ordered.map(({ id }) => id)));
      }
      patch("layers", { selected: find(selected ?? "")?.id ?? layers().list.at(-1)?.id });
      writeSentence();
    },
    resetIsovalue(id) {
      const layer = find(id);
      const { field } = factsOf(layers(), id);
      if (layer?.shape.kind !== "isosurface" || !field) return;
      const value = defaultIsovalue(field, definitionOf(layer.shape.field));
      const shape = { ...layer.shape, isovalues: [value] };
      void change(id, { name: "isovalue" }, (former) => ({ ...former, shape }));
    },
    clear() {
      for (const { id } of layers().list) nextCall(id);
      made.clear();
      clearTimeout(sentenceTimer);
      sentenceTimer = undefined;
      store.setState({ layers: noLayers });
      patch("status", { layers: "" });
    },
    gone({ id, note: reason }) {
      if (!find(id)) return;
      drop(id);
      announce(reason);
    },
    drawn({ id, triangles, isovalue, ms }) {
      if (!find(id)) return;
      setFacts(id, { counts: { triangles, isovalue } });
      patch("measurements", { surfaceMs: ms });
      planSentence();
    },
  };
}
