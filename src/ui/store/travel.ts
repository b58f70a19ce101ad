import type { Layer } from "../../core/layers.ts";
import type { Context } from "./context.ts";
import type { ExpressionActions } from "./expressions.ts";
import { forget, noHistory, record, redo, undo } from "./layers/history.ts";
import type { Program } from "./layers/programs.ts";
import type { LayerActions, Note } from "./layers.ts";
import type { AppState } from "./state.ts";

/** What deeds change, and undoing brings back. */
export interface Scene {
  readonly layers: readonly Layer[];
  readonly selected: string | undefined;
  readonly programs: readonly Program[];
}

export interface TravelActions {
  /** Takes back the latest deed of layers or expressions. */
  undo(): Promise<void>;
  redo(): Promise<void>;
}

function sceneOf({ layers, expressions }: AppState): Scene {
  return { layers: layers.list, selected: layers.selected, programs: expressions.programs };
}

export function createNote({ store }: Context): Note {
  return (deed) => {
    const before = sceneOf(store.getState());
    const former = store.getState().history;
    const noted = record(former, deed, before, performance.now());
    store.setState({ history: noted });
    return () =>
      store.setState(({ history }) => ({ history: history === noted ? former : forget(history, before) }));
  };
}

/** Forgets all deeds: they were of other data. */
export function clearHistory({ store }: Context): void {
  store.setState({ history: noHistory });
}

export function createTravelActions(
  { store, announce, fail }: Context,
  layers: LayerActions,
  expressions: Pick<ExpressionActions, "replay" | "computing">,
): TravelActions {
  /** Each way begins where the former has ended. */
  let last: Promise<void> = Promise.resolve();

  async function go(way: typeof undo, word: string): Promise<void> {
    // What is being computed is taken back whole, when it is there.
    while (expressions.computing()) await expressions.computing();
    const travel = way(store.getState().history, sceneOf(store.getState()));
    if (!travel) {
      announce(`There is nothing to ${word.toLowerCase()}.`);
      return;
    }
    const { scene, deed, history } = travel;
    const dataSet = store.getState().data.dataSet;
    store.setState({ history });
    try {
      await expressions.replay(scene.programs, () => layers.replaceAll(scene.layers, scene.selected));
      if (store.getState().data.dataSet === dataSet) announce(`${word}: ${deed.name}`);
    } catch (error) {
      fail("layer", error);
    }
  }

  const queue = (way: typeof undo, word: string) => {
    last = last.then(() => go(way, word));
    return last;
  };

  return { undo: () => queue(undo, "Undo"), redo: () => queue(redo, "Redo") };
}
