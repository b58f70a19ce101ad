import type { Context } from "./context.ts";
import type { ExpressionActions } from "./expressions.ts";
import { forget, noHistory, record, redo, undo } from "./layers/history.ts";
import type { LayerActions, RecordAction } from "./layers.ts";
import type { AppState, Scene } from "./state.ts";

export interface UndoActions {
  /** Undoes the latest action on layers or expressions. */
  undo(): Promise<void>;
  redo(): Promise<void>;
}

function sceneOf({ layers, expressions }: AppState): Scene {
  return { layers: layers.list, selected: layers.selected, programs: expressions.programs };
}

export function createRecordAction({ store }: Context): RecordAction {
  return (action) => {
    const before = sceneOf(store.getState());
    const former = store.getState().history;
    const noted = record(former, action, before, performance.now());
    store.setState({ history: noted });
    return () =>
      store.setState(({ history }) => ({ history: history === noted ? former : forget(history, before) }));
  };
}

/** Forgets all actions, because they belong to other data. */
export function clearHistory({ store }: Context): void {
  store.setState({ history: noHistory });
}

export function createUndoActions(
  { store, announce, fail }: Context,
  layers: LayerActions,
  expressions: Pick<ExpressionActions, "replay" | "computing">,
): UndoActions {
  /** Each step waits for the previous one. */
  let last: Promise<void> = Promise.resolve();

  async function go(way: typeof undo, word: string): Promise<void> {
    // Waits for a running computation, so that it is undone as a whole.
    while (expressions.computing()) await expressions.computing();
    const travel = way(store.getState().history, sceneOf(store.getState()));
    if (!travel) {
      announce(`There is nothing to ${word.toLowerCase()}.`);
      return;
    }
    const { scene, action, history } = travel;
    const dataSet = store.getState().data.dataSet;
    store.setState({ history });
    try {
      await expressions.replay(scene.programs, () => layers.replaceAll(scene.layers, scene.selected));
      if (store.getState().data.dataSet === dataSet) announce(`${word}: ${action.name}`);
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
