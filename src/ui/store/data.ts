import type { DataSetSummary, OpenRequest, RawDescription } from "../../engine/api.ts";
import type { Context } from "./context.ts";
import {
  defaultColorBy,
  defaultColorRange,
  defaultIsovalue,
  firstChoice,
  isFlat,
  suggestedText,
} from "./defaults.ts";
import type { ExpressionActions } from "./expressions.ts";
import { wholeField } from "./field-choice.ts";
import { hasHeader, sortFiles } from "./files.ts";
import type { Jobs } from "./jobs.ts";
import { allFields } from "./select.ts";
import { loadedSentence, whyNoneVaries } from "./sentences.ts";
import { noSurface } from "./state.ts";
import type { SurfaceActions } from "./surface.ts";

export interface DataActions {
  /** Whether a data set has been asked for, be it open, under way or refused. */
  hasBeenAsked(): boolean;
  /** While a data set is on its way: resolves when it is there with its first picture, or has failed. */
  opening(): Promise<void> | undefined;
  /** Reads a data set and shows a first picture of it. A job that runs for the former one is cancelled. */
  open(request: OpenRequest): Promise<void>;
  /** Files from the picker or a drop: a raw volume asks for its layout first. */
  openFiles(files: readonly File[]): Promise<void>;
  openRaw(raw: RawDescription): Promise<void>;
  askForLayout(file: File): Promise<void>;
  dropRaw(): void;
  /** Shows a field's histogram, or none. */
  select(name: string | undefined): Promise<void>;
}

export interface DataOptions {
  /** Whether a new data set shows its first field's histogram. */
  readonly isRoomy: boolean;
  /** Hears what has been opened. */
  readonly remember: (request: OpenRequest) => void;
}

export function createDataActions(
  context: Context,
  jobs: Jobs,
  expressions: ExpressionActions,
  surface: SurfaceActions,
  { isRoomy, remember }: DataOptions,
): DataActions {
  const { engine, store, patch, announce, fail, send, succeed } = context;
  let latest = 0;
  let opening: Promise<void> | undefined;

  function open(request: OpenRequest): Promise<void> {
    const end = openNow(request).finally(() => {
      if (opening === end) opening = undefined;
    });
    opening = end;
    return end;
  }

  async function openNow(request: OpenRequest): Promise<void> {
    const call = ++latest;
    succeed("open");
    if (jobs.isBusy()) send("open", engine.cancel());
    try {
      const dataSet = await jobs.track("open", () => engine.open(request));
      if (call !== latest) return;
      adopt(dataSet);
      remember(request);
      succeed("open");
    } catch (error) {
      if (call === latest) refuse(request, error);
      return;
    }
    await showFirst(call);
  }

  /** An unknown format may be a raw volume of an unusual name: the alert then offers to ask for its layout. */
  function refuse(request: OpenRequest, error: unknown): void {
    fail("open", error);
    const { alert } = store.getState();
    const mayBeRaw = request.kind === "file" && !request.raw && !hasHeader(request.file.name);
    if (mayBeRaw && alert?.error.tag === "UnsupportedFormat") {
      store.setState({ alert: { ...alert, rawFile: request.file } });
    }
  }

  function adopt(dataSet: DataSetSummary): void {
    store.setState({
      data: { dataSet, derived: [], quantities: [], selected: undefined, histogram: undefined },
      surface: noSurface,
      scalarBar: undefined,
      colors: { ...store.getState().colors, range: undefined },
    });
    send("surface", engine.setColors(store.getState().colors));
    const { isSuggested, text } = store.getState().expressions;
    patch("expressions", {
      error: undefined,
      notes: [],
      ...(isSuggested || text.trim() === ""
        ? { text: dataSet.suggestion?.expression || suggestedText(dataSet.fields), isSuggested: true }
        : {}),
    });
    patch("status", { deed: loadedSentence(dataSet), surface: "" });
  }

  /** The suggestion of a sample, else a surface of its most promising field. */
  async function showFirst(call: number): Promise<void> {
    const { data, device } = store.getState();
    const { dataSet } = data;
    if (!dataSet) return;
    const program = dataSet.suggestion?.expression;
    if (program && !(await expressions.run(program))) return;
    const canDraw = device.summary?.kind === "gpu" && !isFlat(dataSet.grid);
    const choice = firstChoice(dataSet.fields);
    if (call === latest && canDraw && dataSet.suggestion) await surface.show(dataSet.suggestion.surface);
    else if (call === latest && canDraw && choice?.statistics) {
      const colorBy = defaultColorBy(dataSet.fields, choice.source);
      const colors = { ...store.getState().colors, range: defaultColorRange(dataSet.fields, colorBy) };
      store.setState({ colors });
      send("surface", engine.setColors(colors));
      await surface.show({
        field: choice.expression,
        isovalue: defaultIsovalue(choice.statistics),
        colorBy,
      });
    } else if (call === latest && canDraw) {
      patch("status", { surface: whyNoneVaries(dataSet.fields) ?? "" });
    }
    if (call === latest && isRoomy) await select(dataSet.fields[0]?.name);
  }

  async function select(name: string | undefined): Promise<void> {
    patch("data", { selected: name, histogram: undefined });
    const field = allFields(store.getState()).find((field) => field.name === name);
    if (!field) return;
    try {
      const histogram = await engine.histogram(wholeField(field));
      if (store.getState().data.selected === name) patch("data", { histogram });
    } catch (error) {
      fail("open", error);
    }
  }

  async function askForLayout(file: File): Promise<void> {
    try {
      store.setState({ raw: { file, guess: await engine.guessRaw(file.name, file.size) } });
      succeed("open");
    } catch (error) {
      fail("open", error);
    }
  }

  return {
    hasBeenAsked: () => latest > 0,
    opening: () => opening,
    open,
    askForLayout,
    select,
    async openFiles(files) {
      const sorted = sortFiles(files);
      if (!sorted) announce("There was no file in what was dropped.");
      else if (sorted.isRaw) await askForLayout(sorted.file);
      else await open({ kind: "file", file: sorted.file, companions: sorted.companions });
    },
    async openRaw(raw) {
      const { raw: request } = store.getState();
      if (!request) return;
      store.setState({ raw: undefined });
      await open({ kind: "file", file: request.file, raw });
    },
    dropRaw: () => store.setState({ raw: undefined }),
  };
}
