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
import { createPreferences, type KeyValueStorage, type Preferences } from "./preferences.ts";
import { type AppState, initialState } from "./state.ts";
import { createSurfaceActions, type SurfaceActions } from "./surface.ts";
import { createViewActions, type ViewActions } from "./view.ts";
import { createVisit } from "./visit.ts";

/** The application without its widgets: its state, and every deed a person can do. */
export interface Session {
  readonly store: StoreApi<AppState>;
  readonly engine: AsyncEngine;
  readonly data: DataActions;
  readonly expressions: ExpressionActions;
  readonly surface: SurfaceActions;
  readonly view: ViewActions;
  readonly exports: ExportActions;
  readonly cluster: ClusterActions;
  /** The window has room for details from the start. */
  readonly isRoomy: boolean;
  /** Opens the GPU, then the first sample. Called once. */
  start(options?: StartOptions): Promise<void>;
  cancel(): void;
  dismissAlert(): void;
  /** The engine's worker has died. */
  crashed(reason: string): void;
}

export interface SessionOptions {
  readonly engine: AsyncEngine;
  readonly storage?: KeyValueStorage;
  /** Lasts as long as the tab, over its reloads. */
  readonly tabStorage?: KeyValueStorage;
  readonly saveFile?: SaveFile;
  readonly place?: PagePlace;
  readonly loadRanks?: LoadRanks;
  readonly isRoomy?: boolean;
}

export function createSession({
  engine,
  storage,
  tabStorage,
  saveFile = () => {},
  place = nowhere,
  loadRanks = () => import("../../engine/cluster/client.ts"),
  isRoomy = true,
}: SessionOptions): Session {
  const preferences = createPreferences(storage);
  const store = createStore<AppState>()(() => restored(preferences));
  const context = createContext(engine, store);
  const jobs = createJobs(context);
  const surface = createSurfaceActions(context, jobs);
  const expressions = createExpressionActions(context, jobs, surface, preferences);
  const visit = createVisit(tabStorage);
  const data = createDataActions(context, jobs, expressions, surface, { isRoomy, remember: visit.remember });
  let starting: Promise<void> | undefined;
  let tellStarted: (draws: boolean) => void = () => {};
  const started = new Promise<boolean>((resolve) => {
    tellStarted = resolve;
  });
  const view = createViewActions(context, preferences, started);

  store.subscribe(({ expressions }, former) => {
    if (expressions.text === former.expressions.text) return;
    preferences.saveText(expressions.isSuggested ? "" : expressions.text);
  });

  async function startNow(options: StartOptions): Promise<void> {
    let summary: DeviceSummary;
    try {
      summary = await engine.start(options, (event) => hear(context, jobs, surface, event));
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
    // Whoever has chosen a file meanwhile wants to see that, not the sample.
    if (!data.hasBeenAsked()) await openFirst();
  }

  /** The first sample, or the one that was open before the page was loaded again; of a file only its loss is told. */
  async function openFirst(): Promise<void> {
    const former = visit.former();
    await data.open(former?.kind === "sample" ? former : { kind: "sample", sample: "taylor-green" });
    if (former?.kind !== "file" || !store.getState().data.dataSet?.suggestion) return;
    context.fail("open", {
      tag: "BadFile",
      problem: `${former.name} is no longer open, because the page was loaded again.`,
      remedy: "Open it once more; what you typed is kept.",
    });
  }

  return {
    store,
    engine,
    data,
    expressions: {
      ...expressions,
      async compute() {
        // What is typed while a data set is on its way is meant for that one.
        while (starting ?? data.opening()) await (starting ?? data.opening());
        await expressions.compute();
      },
    },
    surface,
    view,
    isRoomy,
    cluster: createClusterActions(context, createClusterMemory(storage, tabStorage), place, loadRanks),
    exports: createExportActions(context, jobs, saveFile),
    start(options = { device: "auto" }) {
      starting = startNow(options).finally(() => {
        starting = undefined;
      });
      return starting;
    },
    cancel: jobs.cancel,
    dismissAlert: () => store.setState({ alert: undefined }),
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

const nowhere: PagePlace = { address: "about:blank", device: "A page", forgetInvitation: () => {} };

function restored(preferences: Preferences): AppState {
  const text = preferences.text();
  return {
    ...initialState,
    colors: { ...initialState.colors, ...preferences.colors() },
    expressions: {
      ...initialState.expressions,
      text: text ?? "",
      isSuggested: text === undefined,
      request: preferences.request() ?? initialState.expressions.request,
    },
  };
}
