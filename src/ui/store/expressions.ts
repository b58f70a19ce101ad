import { isSurface, type Layer } from "../../core/layers.ts";
import type { ComputeSummary, DerivedSummary, RunRequest } from "../../engine/api.ts";
import { afterCompute, afterRemoval, type Program, replayBetween } from "../../engine/saved-view/programs.ts";
import { wholeField } from "../../lang/expression/syntax/field-scalars.ts";
import type { Context } from "./context.ts";
import { defaultIsovalue, isFlat } from "./defaults.ts";
import { choicesOf } from "./field-choice.ts";
import type { Jobs } from "./jobs.ts";
import { isSame } from "./layers/adjustment.ts";
import { histogramField, selectedLayer } from "./layers/state.ts";
import type { LayerActions, RecordAction } from "./layers.ts";
import { toPlainError } from "./plain-error.ts";
import type { Preferences } from "./preferences.ts";
import { mergeResults } from "./select.ts";
import { computedSentence } from "./sentences.ts";
import type { ExpressionState } from "./state.ts";

export interface ExpressionActions {
  setText(text: string): void;
  /** Sets the strategy and the memory limit of further computations, also in later visits. */
  setRequest(request: RunRequest): void;
  /** Computes the text, keeps its results, and shows the last one. */
  compute(): Promise<void>;
  /**
   * The same without changing the editor or the layers; chooses the strategy automatically if no request is given.
   * Resolves to undefined on failure.
   */
  run(text: string, request?: RunRequest): Promise<ComputeSummary | undefined>;
  /** Defined while a text is being computed: resolves when its result is shown, or it has failed. */
  computing(): Promise<void> | undefined;
  remove(name: string): Promise<void>;
  /**
   * Computes and removes results until they are those of `programs`; `between` runs after computing and before
   * removing.
   */
  replay(programs: readonly Program[], between: () => Promise<void>): Promise<void>;
}

const historyLength = 50;

export function createExpressionActions(
  context: Context,
  jobs: Jobs,
  layers: LayerActions,
  recordAction: RecordAction,
  preferences: Pick<Preferences, "saveRequest">,
): ExpressionActions {
  const { engine, store, patch, announce, fail, succeed } = context;
  /** A second press on the same text with the same request is taken for a slip. */
  let computing: (Pick<ExpressionState, "text" | "request"> & { readonly end: Promise<void> }) | undefined;

  const hasGpu = () => store.getState().device.summary?.kind === "gpu";

  async function run(text: string, request?: RunRequest): Promise<ComputeSummary | undefined> {
    const { dataSet } = store.getState().data;
    try {
      const summary = await jobs.track("Compute", () => engine.compute(text, request));
      if (store.getState().data.dataSet !== dataSet) return undefined;
      patch("data", mergeResults(store.getState().data, summary));
      const computed = summary.run && { text, dataSet, run: summary.run };
      const made = [...summary.derived, ...summary.quantities].map(({ name }) => name);
      const programs = afterCompute(store.getState().expressions.programs, summary.text, made);
      patch("expressions", { notes: summary.notes, error: undefined, computed, programs });
      announce(computedSentence(summary));
      succeed("compute");
      return summary;
    } catch (thrown) {
      const error = toPlainError(thrown);
      const isOfText = error.tag !== "Cancelled" && store.getState().expressions.text === text;
      if (isOfText) patch("expressions", { error });
      fail("compute", error);
      return undefined;
    }
  }

  /** Shows the result as an isosurface, at its layer's isovalue if that is still in its range. */
  async function show(result: DerivedSummary): Promise<void> {
    const field = wholeField(result);
    const { min, max } = result.statistics;
    const shape = selectedLayer(store.getState().layers)?.shape;
    const former = shape?.kind === "isosurface" && shape.field === field ? shape.isovalues[0] : Number.NaN;
    const stays = former >= min && former <= max;
    await layers.showResult(field, stays ? former : defaultIsovalue(result.statistics, result.expression));
  }

  /** A point set, and the image of a flat grid, show a result as colours. */
  async function color(result: DerivedSummary): Promise<void> {
    const { layers: state } = store.getState();
    const isColored = (layer: Layer | undefined) => layer && !isSurface(layer.shape);
    const selected = selectedLayer(state);
    const layer = isColored(selected) ? selected : state.list.find(isColored);
    if (!layer) return;
    const range = layer.paint.range === "surface" ? ("surface" as const) : undefined;
    await layers.put({ ...layer, colorBy: wholeField(result), paint: { ...layer.paint, range } });
  }

  /** Removes the layers of a field that is being removed; layers coloured by it lose their colours. */
  async function leaveField(name: string): Promise<void> {
    const field = store.getState().data.derived.find((derived) => derived.name === name);
    if (!field) return;
    const own = new Set(choicesOf(field).map(({ expression }) => expression));
    const isGone = (layer: Layer) => own.has(histogramField(layer) ?? "");
    const { list, selected } = store.getState().layers;
    const rest = list
      .filter((layer) => !isGone(layer))
      .map((layer) => (own.has(layer.colorBy ?? "") ? { ...layer, colorBy: undefined } : layer));
    if (!isSame(rest, list)) await layers.replaceAll(rest, selected);
  }

  async function forgetResult(name: string): Promise<void> {
    await engine.removeDerived(name);
    const { selected, derived, quantities } = store.getState().data;
    patch("data", {
      derived: derived.filter((other) => other.name !== name),
      quantities: quantities.filter((other) => other.name !== name),
      ...(selected === name ? { selected: undefined, histogram: undefined } : {}),
    });
  }

  async function computeNow(): Promise<void> {
    const { text, history, request } = store.getState().expressions;
    const program = text.trim();
    if (program === "") {
      announce("There is nothing to compute: type an expression first.");
      return;
    }
    const rollback = recordAction({ name: "computation" });
    const summary = await run(text, hasGpu() ? request : undefined);
    if (!summary) {
      rollback();
      return;
    }
    patch("expressions", {
      history: [program, ...history.filter((entry) => entry !== program)].slice(0, historyLength),
    });
    const result = summary.derived.at(-1);
    const { data } = store.getState();
    const canDraw = hasGpu() && data.dataSet?.grid && !isFlat(data.dataSet.grid);
    const shows = result && canDraw && result.components <= 9;
    if (shows) await show(result);
    else if (result && data.dataSet) await color(result);
    const names = summary.derived.map(({ name }) => name);
    await layers.renew(names, shows ? store.getState().layers.selected : undefined);
  }

  return {
    setText(text) {
      if (text === store.getState().expressions.text) return;
      patch("expressions", { text, isSuggested: false, error: undefined });
    },
    setRequest(request) {
      const { error } = store.getState().expressions;
      // A result that did not fit may fit now.
      patch("expressions", { request, ...(error?.tag === "TooLarge" ? { error: undefined } : {}) });
      preferences.saveRequest(request);
    },
    run,
    computing: () => computing?.end,
    compute() {
      const { text, request } = store.getState().expressions;
      if (computing?.text === text && computing.request === request) return computing.end;
      const end = computeNow().finally(() => {
        if (computing?.end === end) computing = undefined;
      });
      computing = { text, request, end };
      return end;
    },
    async remove(name) {
      const { data } = store.getState();
      const isThere = [...data.derived, ...data.quantities].some((result) => result.name === name);
      if (!isThere) return;
      recordAction({ name: `remove ${name}` });
      await leaveField(name);
      try {
        await forgetResult(name);
      } catch (error) {
        fail("compute", error);
        return;
      }
      patch("expressions", { programs: afterRemoval(store.getState().expressions.programs, [name]) });
      announce(`Removed ${name}`);
    },
    async replay(programs, between) {
      const { dataSet } = store.getState().data;
      const isOpen = () => store.getState().data.dataSet === dataSet;
      const { texts, names } = replayBetween(store.getState().expressions.programs, programs);
      let isWhole = true;
      const renewed = new Set<string>();
      for (const text of texts) {
        const summary = await run(text);
        if (!isOpen()) return;
        isWhole &&= summary !== undefined;
        for (const { name } of summary?.derived ?? []) renewed.add(name);
      }
      await between();
      if (!isOpen()) return;
      await layers.renew([...renewed]);
      const { derived, quantities } = store.getState().data;
      for (const name of names) {
        if ([...derived, ...quantities].some((result) => result.name === name)) await forgetResult(name);
      }
      if (!isOpen()) return;
      const present = store.getState().expressions.programs;
      patch("expressions", { programs: isWhole ? programs : afterRemoval(present, names) });
    },
  };
}
