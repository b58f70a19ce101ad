import type { Layer } from "../../../core/layers.ts";
import type { EngineEvent } from "../../../engine/api.ts";
import type { Context } from "../context.ts";
import type { Jobs } from "../jobs.ts";
import { loadCode } from "../load-code.ts";
import { toPlainError } from "../plain-error.ts";
import { layersSentence, whyNoIsosurface } from "../sentences.ts";
import { adjustmentBetween } from "./adjustment.ts";
import { factsOf, findLayer, histogramField, type LayerFacts, noFacts, noLayers } from "./state.ts";

/** Keeps the engine's layers in step with those in the state. Nothing here is recorded in the history. */
export interface LayerSync {
  find(id: string): Layer | undefined;
  /** Replaces the layer with the same id, or adds one above all. Resolves to false if it could not be made. */
  put(layer: Layer): Promise<boolean>;
  /** The same, but always remakes the layer, because its fields may have changed. */
  make(layer: Layer): Promise<boolean>;
  remove(id: string): void;
  /** Reorders the present layers. */
  order(layers: readonly Layer[]): void;
  select(id: string | undefined): void;
  /** Replaces all present layers with as few calls as possible; stops if other data are opened. */
  replaceAll(layers: readonly Layer[], selected: string | undefined): Promise<void>;
  /** Gives the histograms and sliders of a field a logarithmic axis, or a linear one. */
  setLogAxis(field: string, isLog: boolean): void;
  /** Forgets all layers: the engine no longer has any. */
  clear(): void;
  drawn(event: Extract<EngineEvent, { kind: "layer" }>): void;
  /** Takes over what each rank did for a layer. */
  madeByRanks(event: Extract<EngineEvent, { kind: "layerRanks" }>): void;
  /** Takes over a layer that follows a changed field. */
  followed(event: Extract<EngineEvent, { kind: "layerFollowed" }>): void;
  /** Handles the engine's removal of a layer. */
  gone(event: Extract<EngineEvent, { kind: "layerGone" }>): void;
}

/** Minimum interval between updates of the status line during a drag. */
const sentenceIntervalMs = 200;

export function createLayerSync(context: Context, jobs: Jobs): LayerSync {
  const { engine, store, patch, announce, fail, send, succeed } = context;
  const calls = new Map<string, number>();
  /** The layers as the engine has them. */
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
    const neighbour = rest[Math.max(0, at - 1)]?.id;
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
      const summary = await jobs.track("Show a layer", () => engine.setLayer(layer));
      const former = made.get(id);
      if (!former) placeNew(id);
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
        ...(isSameField ? {} : { histogram: undefined, logHistogram: undefined }),
      });
      succeed("layer");
      if (layer.shape.kind === "isosurface" && summary.field) {
        const why = whyNoIsosurface(layer.shape.field, summary.field);
        // Nothing is extracted at an isovalue of NaN, so no counts will arrive.
        if (why) setFacts(id, { counts: { triangles: 0, isovalue: layer.shape.isovalues[0] } });
      }
      adjust(find(id) ?? layer);
      writeSentence();
      send("layer", fetchHistogram(layer));
      return true;
    } catch (error) {
      // A later request, or the layer's removal, supersedes this call: a cancel is then not a failure.
      if (call !== calls.get(id)) return toPlainError(error).tag === "Cancelled";
      setFacts(id, { isPending: false });
      const former = made.get(id);
      if (former) setLayer(former);
      else drop(id);
      fail("layer", error);
      return false;
    }
  }

  /** The engine has added a new layer above the others, but it may have been moved meanwhile. */
  function placeNew(id: string): void {
    const { list } = layers();
    if (find(id) && list.at(-1)?.id !== id) sendOrder(list);
  }

  function sendOrder(list: readonly Layer[]): void {
    send("layer", engine.orderLayers(list.map(({ id }) => id)));
  }

  /** Adjusts the engine's layer to its latest state. */
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
    if (layers().logFields.includes(field)) await fetchLogHistogram(field);
  }

  /** That of all layers that show the field's histogram. */
  async function fetchLogHistogram(field: string): Promise<void> {
    const { logHistogramOf } = await loadCode(() => import("./log-histogram.ts"));
    const logHistogram = await logHistogramOf(engine, field);
    for (const layer of layers().list) {
      if (histogramField(layer) === field) setFacts(layer.id, { logHistogram });
    }
  }

  async function put(latest: Layer): Promise<boolean> {
    const former = find(latest.id);
    if (!former || !adjustmentBetween(former, latest)) return make(latest);
    setLayer(latest);
    planSentence();
    if (!factsOf(layers(), latest.id).isPending) adjust(latest);
    return true;
  }

  function remove(id: string): void {
    drop(id);
    send("layer", engine.removeLayer(id));
  }

  function order(ordered: readonly Layer[]): void {
    patch("layers", { list: ordered });
    sendOrder(ordered);
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
    find,
    put,
    make,
    remove,
    order,
    select(id) {
      patch("layers", { selected: id });
      writeSentence();
    },
    async replaceAll(latest, selected) {
      const { dataSet } = store.getState().data;
      const kept = new Set(latest.map(({ id }) => id));
      for (const { id } of layers().list) if (!kept.has(id)) remove(id);
      for (const layer of latest) {
        const done = put(layer);
        // Selects it now, not after all are made: until then another layer's controls and handles would be shown.
        if (layer.id === selected) patch("layers", { selected });
        await done;
        if (store.getState().data.dataSet !== dataSet) return;
      }
      const { list } = layers();
      const ordered = latest.flatMap(({ id }) => find(id) ?? []);
      if (ordered.length === list.length && ordered.some((layer, i) => layer !== list[i])) order(ordered);
      patch("layers", { selected: find(selected ?? "")?.id ?? layers().list.at(-1)?.id });
      writeSentence();
    },
    setLogAxis(field, isLog) {
      const others = layers().logFields.filter((other) => other !== field);
      patch("layers", { logFields: isLog ? [...others, field] : others });
      if (isLog) send("layer", fetchLogHistogram(field));
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
    followed({ layer }) {
      if (!find(layer.id)) return;
      made.set(layer.id, layer);
      setLayer(layer);
      setFacts(layer.id, { histogram: undefined, logHistogram: undefined });
    },
    drawn({ id, triangles, isovalue, ms, note }) {
      if (!find(id)) return;
      setFacts(id, { counts: { triangles, isovalue, note } });
      patch("measurements", { surfaceMs: ms });
      planSentence();
    },
    madeByRanks({ id, made }) {
      if (find(id)) setFacts(id, { made });
    },
  };
}
