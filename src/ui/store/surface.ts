import type { EngineEvent, SurfaceSettings } from "../../engine/api.ts";
import type { Context } from "./context.ts";
import { defaultIsovalue } from "./defaults.ts";
import { findChoice } from "./field-choice.ts";
import type { Jobs } from "./jobs.ts";
import { allFields } from "./select.ts";
import { surfaceSentence, whyNoIsosurface } from "./sentences.ts";
import { noSurface } from "./state.ts";

export interface SurfaceActions {
  /** Shows a surface; false where it could not be made, and the former one stays. */
  show(settings: SurfaceSettings): Promise<boolean>;
  /** Follows another field, at an isovalue that is likely to show something. */
  showField(expression: string): Promise<void>;
  colorBy(expression: string | undefined): Promise<void>;
  /** The path of a slider drag: nothing is awaited. A surface that is being made takes the isovalue when it is there. */
  setIsovalue(isovalue: number): void;
  /** Back to the isovalue that the field started with. */
  resetIsovalue(): void;
  hide(): void;
  drawn(event: Extract<EngineEvent, { kind: "surface" }>): void;
}

/** Counts of a drag's frames reach the status line this often at most. */
const sentenceIntervalMs = 200;

export function createSurfaceActions(context: Context, jobs: Jobs): SurfaceActions {
  const { engine, store, patch, fail, send, succeed } = context;
  let latest = 0;
  let sentenceTimer: ReturnType<typeof setTimeout> | undefined;

  const current = (): SurfaceSettings | undefined => {
    const { requested, settings } = store.getState().surface;
    return requested ?? settings;
  };

  async function show(settings: SurfaceSettings): Promise<boolean> {
    const call = ++latest;
    patch("surface", { requested: settings });
    try {
      const summary = await jobs.track("surface", () => engine.setSurface(settings));
      if (call !== latest) return true;
      const { requested, settings: former, histogram } = store.getState().surface;
      const latestSettings = requested ?? settings;
      patch("surface", {
        settings: latestSettings,
        requested: undefined,
        statistics: summary.field,
        colorStatistics: summary.color,
        notes: summary.notes,
        histogram: former?.field === settings.field ? histogram : undefined,
      });
      succeed("surface");
      const { isovalue } = latestSettings;
      const why = whyNoIsosurface(settings.field, summary.field);
      if (why) {
        // Nothing is extracted at an isovalue that is no number: no counts will come.
        patch("surface", { counts: { triangles: 0, isovalue } });
        patch("status", { surface: why });
      }
      if (isovalue !== settings.isovalue) send("surface", engine.setIsovalue(isovalue));
      send("surface", fetchHistogram(settings.field));
      return true;
    } catch (error) {
      if (call === latest) patch("surface", { requested: undefined });
      fail("surface", error);
      return false;
    }
  }

  async function fetchHistogram(field: string): Promise<void> {
    const histogram = await engine.histogram(field);
    if (store.getState().surface.settings?.field === field) patch("surface", { histogram });
  }

  /** The range of a vector's component is known to the engine alone. */
  async function isovalueFor(expression: string): Promise<number> {
    const fields = allFields(store.getState());
    const choice = findChoice(fields, expression);
    const derived = store.getState().data.derived.find(({ name }) => name === choice?.source);
    const range = choice?.statistics ?? (await engine.histogram(expression));
    return defaultIsovalue(range, derived?.expression);
  }

  function writeSentence(): void {
    sentenceTimer = undefined;
    const { settings, counts, statistics } = store.getState().surface;
    if (settings && counts) patch("status", { surface: surfaceSentence(settings.field, counts, statistics) });
  }

  return {
    show,
    async showField(expression) {
      try {
        await show({
          field: expression,
          isovalue: await isovalueFor(expression),
          colorBy: current()?.colorBy,
        });
      } catch (error) {
        fail("surface", error);
      }
    },
    async colorBy(expression) {
      const settings = current();
      if (!settings) return;
      const { colors } = store.getState();
      const shown = await show({ ...settings, colorBy: expression });
      if (shown && colors.range && colors.range !== "surface") {
        const automatic = { ...colors, range: undefined };
        store.setState({ colors: automatic });
        send("surface", engine.setColors(automatic));
      }
    },
    setIsovalue(isovalue) {
      const { settings, requested } = store.getState().surface;
      if (!Number.isFinite(isovalue)) return;
      if (requested) patch("surface", { requested: { ...requested, isovalue } });
      else if (settings) {
        patch("surface", { settings: { ...settings, isovalue } });
        send("surface", engine.setIsovalue(isovalue));
      }
    },
    resetIsovalue() {
      const { settings, statistics } = store.getState().surface;
      if (!settings || !statistics) return;
      const derived = store.getState().data.derived.find(({ name }) => name === settings.field);
      this.setIsovalue(defaultIsovalue(statistics, derived?.expression));
    },
    hide() {
      latest++;
      clearTimeout(sentenceTimer);
      sentenceTimer = undefined;
      store.setState({ surface: noSurface });
      patch("status", { surface: "" });
      send("surface", engine.hideSurface());
    },
    drawn({ triangles, isovalue, ms }) {
      patch("surface", { counts: { triangles, isovalue } });
      patch("measurements", { surfaceMs: ms });
      sentenceTimer ??= setTimeout(writeSentence, sentenceIntervalMs);
    },
  };
}
