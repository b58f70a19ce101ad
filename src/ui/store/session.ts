import { createStore, type StoreApi } from "zustand/vanilla";
import type { DeviceSummary, StartOptions } from "../../engine/api.ts";
import type { AsyncEngine } from "../../engine/client.ts";
import { type ClusterActions, createClusterActions, type LoadRanks, type PagePlace } from "./cluster.ts";
import { createClusterMemory } from "./cluster-memory.ts";
import { createContext } from "./context.ts";
import { createDataActions, type DataActions } from "./data.ts";
import { hear } from "./events.ts";
import { createExportActions, type ExportActions, type SaveFile } from "./exports.ts";
import { createExpressionActions, type ExpressionActions } from "./expressions.ts";
import { createJobs } from "./jobs.ts";
import { createLatticeActions, type LatticeActions } from "./lattice.ts";
import { createLayerActions, type LayerActions } from "./layers.ts";
import { loadCode } from "./load-code.ts";
import { notLoaded } from "./plain-error.ts";
import { createPreferences, type KeyValueStorage, type Preferences } from "./preferences.ts";
import { createProbeActions, type ProbeActions } from "./probe.ts";
import { type AppState, initialState } from "./state.ts";
import { createRecordAction, createUndoActions, type UndoActions } from "./undo.ts";
import { createViewActions, type ViewActions } from "./view.ts";
import { comesByItself } from "./view-source.ts";
import { createViewsActions, isViewFile, type ViewsActions, viewOf } from "./views.ts";
import { createVisit, type Visit } from "./visit.ts";

/** Delay before a changed view is remembered, so that a drag is written once. */
const rememberDelayMs = 200;

/** The application without its widgets: its state and all actions of the user. */
export interface Session {
  readonly store: StoreApi<AppState>;
  readonly engine: AsyncEngine;
  readonly data: DataActions;
  readonly expressions: ExpressionActions;
  readonly layers: LayerActions;
  readonly history: UndoActions;
  readonly views: ViewsActions;
  readonly probe: ProbeActions;
  readonly view: ViewActions;
  readonly exports: ExportActions;
  readonly cluster: ClusterActions;
  readonly lattice: LatticeActions;
  /** Whether the window has room for details from the start. */
  readonly isRoomy: boolean;
  /** Opens the GPU, then the first sample. Call it once. */
  start(options?: StartOptions): Promise<void>;
  cancel(): void;
  dismissAlert(): void;
  /** Shows a message in the status line. */
  announce(message: string): void;
  /** Reports that a part of the page could not be loaded: `name` begins the sentence. */
  notLoaded(name: string, again: () => void): void;
  /** Reports that the engine's worker has died. */
  crashed(reason: string): void;
}

export interface SessionOptions {
  readonly engine: AsyncEngine;
  readonly storage?: KeyValueStorage;
  /** Storage that lasts as long as the tab, including its reloads. */
  readonly tabStorage?: KeyValueStorage;
  readonly saveFile?: SaveFile;
  readonly place?: PagePlace;
  readonly loadRanks?: LoadRanks;
  readonly isRoomy?: boolean;
  /** The fragment of the page's address, if it holds an initial view. */
  readonly viewLink?: string;
}

export function createSession({
  engine,
  storage,
  tabStorage,
  saveFile = () => {},
  place = nowhere,
  loadRanks = () => loadCode(() => import("../../engine/cluster/client.ts")),
  isRoomy = true,
  viewLink,
}: SessionOptions): Session {
  const preferences = createPreferences(storage);
  const store = createStore<AppState>()(() => restored(preferences));
  const context = createContext(engine, store);
  const jobs = createJobs(context);
  const recordAction = createRecordAction(context);
  const layers = createLayerActions(context, jobs, recordAction, preferences);
  const expressions = createExpressionActions(context, jobs, layers, recordAction, preferences);
  const visit = createVisit(tabStorage);
  let starting: Promise<void> | undefined;
  let tellStarted: (draws: boolean) => void = () => {};
  const started = new Promise<boolean>((resolve) => {
    tellStarted = resolve;
  });
  const view = createViewActions(context, started);
  const lattice: LatticeActions = createLatticeActions(context, jobs, () => data);
  const data: DataActions = createDataActions(context, jobs, expressions, layers, view, {
    isRoomy,
    adoptLattice: lattice.adopt,
  });
  const views = createViewsActions(context, data, saveFile, place.address);

  store.subscribe(({ expressions }, former) => {
    if (expressions.text === former.expressions.text) return;
    preferences.saveText(expressions.isSuggested ? "" : expressions.text);
  });

  async function startNow(options: StartOptions): Promise<void> {
    let summary: DeviceSummary;
    try {
      summary = await engine.start(options, (event) => hear(context, { jobs, layers, lattice }, event));
    } catch (error) {
      tellStarted(false);
      store.setState({ device: { phase: "lost", summary: undefined } });
      context.fail("device", error);
      return;
    }
    store.setState({ device: { phase: "ready", summary } });
    if (summary.problem) context.fail("device", summary.problem);
    tellStarted(summary.kind === "gpu");
    context.send(
      "device",
      engine.colorMaps().then((colorMaps) => store.setState({ colorMaps })),
    );
    // A user who has chosen a file meanwhile wants to see that, not the sample.
    if (!data.hasBeenAsked()) await openFirst();
    rememberViews(store, engine, visit);
  }

  /** Opens the view of a link, or the view before a reload, or the first sample. */
  async function openFirst(): Promise<void> {
    const former = await visit.former();
    if (viewLink !== undefined) await views.openLink(viewLink);
    else if (former && comesByItself(former.source)) await views.open(former);
    // The person may open something meanwhile.
    for (let opening = data.opening(); opening; opening = data.opening()) await opening;
    if (store.getState().data.dataSet) return;
    // If that could not be opened, its error stays beside the sample, and the view keeps waiting for its file.
    const { alert, awaited } = store.getState();
    await data.open({ kind: "sample", sample: "taylor-green" });
    const { source: shown } = store.getState().data;
    if (shown && shown.kind !== "sample") return;
    if (alert) store.setState({ alert, awaited });
    const source = former?.source;
    if (viewLink !== undefined || !source || !store.getState().data.dataSet) return;
    if ("name" in source) {
      store.setState({ awaited: former });
      context.fail("open", {
        tag: "BadFile",
        problem: `${source.name} is no longer open, because the page was reloaded.`,
        remedy:
          source.kind === "file"
            ? "Open it again; what you typed is kept, and its layers come back."
            : "Return to the room and open it again in the Cluster panel; its layers come back.",
      });
    }
  }

  return {
    store,
    engine,
    data: {
      ...data,
      async openFiles(files) {
        const view = files.find(isViewFile);
        const others = files.filter((file) => file !== view);
        if (view) await views.openFile(view);
        if (!view || others.length > 0) await data.openFiles(others);
      },
    },
    expressions: {
      ...expressions,
      async compute() {
        // What is typed while a data set is loading is meant for that data set.
        while (starting ?? data.opening()) await (starting ?? data.opening());
        await expressions.compute();
      },
    },
    layers,
    history: createUndoActions(context, layers, expressions),
    views,
    view,
    probe: createProbeActions(context, layers),
    isRoomy,
    lattice,
    cluster: createClusterActions(context, createClusterMemory(storage, tabStorage), place, loadRanks),
    exports: createExportActions(context, jobs, saveFile),
    start(options = { device: "auto" }) {
      starting = startNow(options).finally(() => {
        starting = undefined;
      });
      return starting;
    },
    cancel: jobs.cancel,
    announce: context.announce,
    dismissAlert: () => store.setState({ alert: undefined }),
    notLoaded(name, again) {
      context.fail("load", notLoaded(name));
      const { alert } = store.getState();
      if (alert) store.setState({ alert: { ...alert, again } });
    },
    crashed(reason) {
      store.setState({ device: { phase: "lost", summary: store.getState().device.summary } });
      context.fail("device", {
        tag: "DeviceLost",
        problem: `The engine stopped: ${reason}.`,
        remedy: "Reload the page; what you typed is kept.",
      });
    },
  };
}

/** Remembers the view whenever it changes from now on. A view that is waiting for its file is not replaced. */
function rememberViews(
  store: StoreApi<AppState>,
  { lattice }: Pick<AsyncEngine, "lattice">,
  visit: Visit,
): void {
  let isPlanned = false;
  /** A lattice is remembered with its present sweeps, which only the engine knows. */
  const remember = async (): Promise<void> => {
    isPlanned = false;
    const view = store.getState().awaited ?? viewOf(store.getState());
    if (view?.source.kind !== "lattice") {
      if (view) visit.remember(view);
      return;
    }
    const source = await lattice.request();
    if (store.getState().data.source === view.source) visit.remember({ ...view, source });
  };
  const rememberNow = () => {
    // It fails where other data have been opened meanwhile, which are remembered in their turn.
    remember().catch(() => {});
  };
  rememberNow();
  store.subscribe((latest, former) => {
    const isChanged = (["layers", "expressions", "camera", "data", "awaited"] as const).some(
      (part) => latest[part] !== former[part],
    );
    if (!isChanged || isPlanned) return;
    isPlanned = true;
    setTimeout(rememberNow, rememberDelayMs);
  });
}

const nowhere: PagePlace = { address: "about:blank", device: "A page", forgetInvitation: () => {} };

function restored(preferences: Preferences): AppState {
  const text = preferences.text();
  return {
    ...initialState,
    paint: { ...initialState.paint, ...preferences.colors() },
    expressions: {
      ...initialState.expressions,
      text: text ?? "",
      isSuggested: text === undefined,
      request: preferences.request() ?? initialState.expressions.request,
    },
  };
}
