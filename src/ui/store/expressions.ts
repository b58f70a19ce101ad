import type { ComputeSummary, DerivedSummary, RunRequest, SurfaceSettings } from "../../engine/api.ts";
import type { Context } from "./context.ts";
import { defaultColorBy, defaultIsovalue, isFlat } from "./defaults.ts";
import { choicesOf, wholeField } from "./field-choice.ts";
import type { Jobs } from "./jobs.ts";
import { toPlainError } from "./plain-error.ts";
import type { Preferences } from "./preferences.ts";
import { allFields, mergeResults } from "./select.ts";
import { computedSentence } from "./sentences.ts";
import type { ExpressionState } from "./state.ts";
import type { SurfaceActions } from "./surface.ts";

export interface ExpressionActions {
  setText(text: string): void;
  /** How the next computation is to be done, and those of later visits. */
  setRequest(request: RunRequest): void;
  /** Computes the text, keeps what it names, and shows its last result. */
  compute(): Promise<void>;
  /** The same without touching editor or surface, automatically where no request is given; undefined where it failed. */
  run(text: string, request?: RunRequest): Promise<ComputeSummary | undefined>;
  remove(name: string): Promise<void>;
}

const historyLength = 50;

export function createExpressionActions(
  context: Context,
  jobs: Jobs,
  surface: SurfaceActions,
  preferences: Pick<Preferences, "saveRequest">,
): ExpressionActions {
  const { engine, store, patch, announce, fail, succeed } = context;
  /** A second press on the same text, to be computed alike, is a slip of the finger. */
  let computing: (Pick<ExpressionState, "text" | "request"> & { readonly end: Promise<void> }) | undefined;

  const hasGpu = () => store.getState().device.summary?.kind === "gpu";

  async function run(text: string, request?: RunRequest): Promise<ComputeSummary | undefined> {
    const { dataSet } = store.getState().data;
    try {
      const summary = await jobs.track("compute", () => engine.compute(text, request));
      if (store.getState().data.dataSet !== dataSet) return undefined;
      patch("data", mergeResults(store.getState().data, summary));
      const computed = summary.run && { text, dataSet, run: summary.run };
      patch("expressions", { notes: summary.notes, error: undefined, computed });
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

  /** The result as a surface: at its former isovalue where that still lies in its range. */
  function surfaceOf(result: DerivedSummary): SurfaceSettings {
    const state = store.getState();
    const { settings } = state.surface;
    const field = wholeField(result);
    const { min, max } = result.statistics;
    const isSame = settings?.field === field && settings.isovalue >= min && settings.isovalue <= max;
    return {
      field,
      isovalue: isSame ? settings.isovalue : defaultIsovalue(result.statistics, result.expression),
      colorBy: settings ? settings.colorBy : defaultColorBy(allFields(state), result.name),
    };
  }

  async function computeNow(): Promise<void> {
    const { text, history, request } = store.getState().expressions;
    const program = text.trim();
    if (program === "") {
      announce("There is nothing to compute: type an expression first.");
      return;
    }
    const summary = await run(text, hasGpu() ? request : undefined);
    if (!summary) return;
    patch("expressions", {
      history: [program, ...history.filter((entry) => entry !== program)].slice(0, historyLength),
    });
    const result = summary.derived.at(-1);
    const { data } = store.getState();
    const canDraw = hasGpu() && data.dataSet && !isFlat(data.dataSet.grid);
    if (result && canDraw && result.components <= 9) await surface.show(surfaceOf(result));
  }

  return {
    setText(text) {
      if (text === store.getState().expressions.text) return;
      patch("expressions", { text, isSuggested: false, error: undefined });
    },
    setRequest(request) {
      const { error } = store.getState().expressions;
      // What did not fit may fit now.
      patch("expressions", { request, ...(error?.tag === "TooLarge" ? { error: undefined } : {}) });
      preferences.saveRequest(request);
    },
    run,
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
      const { data, surface: shown } = store.getState();
      const field = data.derived.find((derived) => derived.name === name);
      if (!field && !data.quantities.some((quantity) => quantity.name === name)) return;
      const own = new Set((field ? choicesOf(field) : []).map(({ expression }) => expression));
      const settings = shown.requested ?? shown.settings;
      if (settings && own.has(settings.field)) surface.hide();
      else if (settings?.colorBy && own.has(settings.colorBy)) await surface.colorBy(undefined);
      try {
        await engine.removeDerived(name);
      } catch (error) {
        fail("compute", error);
        return;
      }
      const { selected, derived, quantities } = store.getState().data;
      patch("data", {
        derived: derived.filter((other) => other.name !== name),
        quantities: quantities.filter((other) => other.name !== name),
        ...(selected === name ? { selected: undefined, histogram: undefined } : {}),
      });
      announce(`Removed ${name}`);
    },
  };
}
