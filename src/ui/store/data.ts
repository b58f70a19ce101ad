import type { DataSetSummary, LatticeState, OpenRequest, RawDescription } from "../../engine/api.ts";
import type { SavedView } from "../../engine/saved-view/view.ts";
import { wholeField } from "../../lang/expression/syntax/field-scalars.ts";
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
import { choicesOf } from "./field-choice.ts";
import { isNamedRaw, notOpened, sortFiles } from "./files.ts";
import type { Jobs } from "./jobs.ts";
import { isosurface } from "./layers/new-layer.ts";
import type { LayerActions } from "./layers.ts";
import { loadCode } from "./load-code.ts";
import { allFields } from "./select.ts";
import { loadedSentence, whyNoneVaries } from "./sentences.ts";
import { initialState, type RawRequest } from "./state.ts";
import { clearHistory } from "./undo.ts";
import type { ViewActions } from "./view.ts";
import { sourceOf } from "./view-source.ts";

export interface DataActions {
  /** Whether a data set has been requested, whether it is open, loading or refused. */
  hasBeenAsked(): boolean;
  /** Defined while a data set is loading: resolves when its first picture is shown, or it has failed. */
  opening(): Promise<void> | undefined;
  /**
   * Reads a data set and shows a first picture of it, or the saved one. Cancels a job that runs on the previous data
   * set.
   */
  open(request: OpenRequest, saved?: SavedView): Promise<void>;
  /** Opens files from the picker or a drop; the user is first asked for the layout of a raw volume. */
  openFiles(files: readonly File[]): Promise<void>;
  openRaw(raw: RawDescription): Promise<void>;
  /**
   * Opens what ranks have, a group of the page's room or the room's own, with the view that waits for it; the user is first asked for
   * the layout of a raw volume.
   */
  openOnRanks(request: OpenRequest & { readonly kind: "group" | "room" }): Promise<void>;
  /** Of a file, or of what ranks of the room find at an address or a path. */
  askForLayout(of: RawRequest["of"]): Promise<void>;
  dropRaw(): void;
  /** Shows a field's histogram, or none if undefined. */
  select(name: string | undefined): Promise<void>;
}

export interface DataOptions {
  /** Whether the histogram of a new data set's first field is shown. */
  readonly isRoomy: boolean;
  /** Hears of each data set that is opened. */
  readonly adoptLattice: (state: LatticeState | undefined) => void;
}

const lastPart = (path: string): string =>
  path.slice(Math.max(path.lastIndexOf("/"), path.lastIndexOf("\\")) + 1);

/** Id of the layer with which a data set starts. */
const firstId = "layer-1";

export function createDataActions(
  context: Context,
  jobs: Jobs,
  expressions: ExpressionActions,
  layers: LayerActions,
  view: Pick<ViewActions, "setCamera" | "hearCamera">,
  { isRoomy, adoptLattice }: DataOptions,
): DataActions {
  const { engine, store, patch, announce, fail, send, succeed } = context;
  let latest = 0;
  let opening: Promise<void> | undefined;

  function open(request: OpenRequest, saved?: SavedView): Promise<void> {
    const end = openNow(request, saved).finally(() => {
      if (opening === end) opening = undefined;
    });
    opening = end;
    return end;
  }

  async function openNow(request: OpenRequest, saved: SavedView | undefined): Promise<void> {
    const call = ++latest;
    succeed("open");
    if (jobs.isBusy()) send("open", engine.cancel());
    try {
      const dataSet = await jobs.track("Open the data", () => engine.open(request));
      if (call !== latest) return;
      adopt(dataSet, request);
      succeed("open");
    } catch (error) {
      if (call === latest) refuse(request, error);
      return;
    }
    if (saved) await showSaved(call, saved);
    else await showFirst(call);
    clearHistory(context);
  }

  /** An unknown format may be a raw volume with an unusual name: the alert then offers to ask for its layout. */
  function refuse(request: OpenRequest, error: unknown): void {
    fail("open", error);
    const { alert } = store.getState();
    if (request.kind === "file" && !request.raw && alert?.error.tag === "UnknownFormat") {
      store.setState({ alert: { ...alert, rawFile: request.file } });
    }
  }

  function adopt(dataSet: DataSetSummary, request: OpenRequest): void {
    layers.clear();
    store.setState({
      data: {
        dataSet,
        source: sourceOf(request),
        derived: [],
        quantities: [],
        selected: undefined,
        histogram: undefined,
      },
      awaited: undefined,
      probe: initialState.probe,
      scalarBars: [],
    });
    adoptLattice(dataSet.lattice?.state);
    clearHistory(context);
    const { isSuggested, text } = store.getState().expressions;
    patch("expressions", {
      error: undefined,
      notes: [],
      programs: [],
      ...(isSuggested || text.trim() === ""
        ? { text: dataSet.suggestion?.expression || suggestedText(dataSet), isSuggested: true }
        : {}),
    });
    patch("status", { message: loadedSentence(dataSet), layers: "" });
  }

  /** Shows the sample's suggestion, else a surface of the most promising field. */
  async function showFirst(call: number): Promise<void> {
    const { data, device } = store.getState();
    const { dataSet } = data;
    if (!dataSet) return;
    const program = dataSet.suggestion?.expression;
    if (program && !(await expressions.run(program))) return;
    if (call === latest && device.summary?.kind === "gpu") await showLayer(dataSet);
    if (call === latest) view.hearCamera();
    if (call === latest && isRoomy) await select(dataSet.fields[0]?.name);
  }

  async function showLayer(dataSet: DataSetSummary): Promise<void> {
    const { grid, points, fields, suggestion, lattice } = dataSet;
    const domains = lattice?.domains;
    const { paint } = store.getState();
    const bounds = grid?.bounds ?? points?.bounds ?? [0, 1, 0, 1, 0, 1];
    const choice = firstChoice(fields);
    if (!grid) {
      const { newLayer } = await loadCode(() => import("./layers/kinds.ts"));
      if (store.getState().data.dataSet !== dataSet) return;
      const made = newLayer("points", firstId, { bounds, field: undefined, paint, points: points?.count });
      await layers.put({ ...made, colorBy: choice?.expression ?? made.colorBy });
    } else if (isFlat(grid)) {
      const colorBy =
        domains?.expression ?? (choice ?? fields.map((field) => choicesOf(field)[0])[0])?.expression;
      const { newLayer } = await loadCode(() => import("./layers/kinds.ts"));
      if (store.getState().data.dataSet !== dataSet || colorBy === undefined) return;
      await layers.put({ ...newLayer("image", firstId, { bounds, field: undefined, paint }), colorBy });
    } else if (domains) {
      const { domainWalls } = await loadCode(() => import("./lattice-layer.ts"));
      if (store.getState().data.dataSet === dataSet) await layers.put(domainWalls(domains, firstId, paint));
    } else if (suggestion) {
      await layers.put(isosurface(firstId, suggestion.surface, paint));
    } else if (choice) {
      const colorBy = defaultColorBy(fields, choice.source);
      // That of a component only the engine knows.
      const isovalue = defaultIsovalue(choice.statistics ?? (await engine.histogram(choice.expression)));
      if (store.getState().data.dataSet !== dataSet) return;
      const range = defaultColorRange(fields, colorBy);
      await layers.put(
        isosurface(firstId, { field: choice.expression, isovalue, colorBy }, { ...paint, range }),
      );
    } else {
      patch("status", { layers: whyNoneVaries(fields) ?? "" });
    }
    const [layer] = store.getState().layers.list;
    if (layer) layers.select(layer.id);
  }

  /** Restores the saved picture as far as possible, and reports errors on the way. */
  async function showSaved(call: number, saved: SavedView): Promise<void> {
    const { device } = store.getState();
    const { text, programs, selected, camera } = saved;
    if (text !== undefined) patch("expressions", { text, isSuggested: false });
    await expressions.replay(programs, async () => {
      if (call !== latest || device.summary?.kind !== "gpu") return;
      layers.noteSetUp(saved.layers);
      await layers.replaceAll(saved.layers, selected);
      if (camera && call === latest) view.setCamera(camera);
    });
    if (call === latest && isRoomy) await select(store.getState().data.dataSet?.fields[0]?.name);
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

  async function askForLayout(of: RawRequest["of"]): Promise<void> {
    const [name, size] = typeof of === "string" ? [lastPart(of), Number.NaN] : [of.name, of.size];
    try {
      store.setState({ raw: { of, guess: await engine.guessRaw(name, size) } });
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
      if (!sorted) {
        announce("The drop contained no file.");
        return;
      }
      const { file, companions, others, isRaw } = sorted;
      const { awaited } = store.getState();
      const isAwaited = awaited?.source.kind === "file" && awaited.source.name === file.name;
      const raw = isAwaited && awaited.source.kind === "file" ? awaited.source.raw : undefined;
      if (isRaw && !raw) await askForLayout(file);
      else
        await open({ kind: "file", file, companions, ...(raw && { raw }) }, isAwaited ? awaited : undefined);
      const { message } = store.getState().status;
      if (others.length > 0) announce(`${message}${/[.!?]$/.test(message) ? "" : "."} ${notOpened(others)}`);
    },
    async openRaw(raw) {
      const { raw: request } = store.getState();
      if (!request) return;
      store.setState({ raw: undefined });
      const { of } = request;
      await open(typeof of === "string" ? { kind: "room", name: of, raw } : { kind: "file", file: of, raw });
    },
    async openOnRanks(request) {
      const { awaited } = store.getState();
      const { kind, name } = request;
      const isAwaited = awaited?.source.kind === kind && awaited.source.name === name;
      const raw = isAwaited && awaited.source.kind === "room" ? awaited.source.raw : undefined;
      if (kind === "room" && !raw && isNamedRaw(request)) await askForLayout(name);
      else await open({ ...request, ...(raw && { raw }) }, isAwaited ? awaited : undefined);
    },
    dropRaw: () => store.setState({ raw: undefined }),
  };
}
