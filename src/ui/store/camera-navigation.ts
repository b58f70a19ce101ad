import type { CameraState } from "../../core/view.ts";
import type { Context } from "./context.ts";
import { isSame } from "./layers/adjustment.ts";
import { initialState } from "./state.ts";

export interface CameraNavigation {
  /** Call this before each of the user's moves. Moves that follow each other closely are one step. */
  moves(): void;
  back(): Promise<void>;
  forward(): Promise<void>;
}

/** A camera that has not moved for this long is at rest. */
const restMs = 400;
const maxSteps = 50;

/** The camera's own history, apart from that of layers: going back and forward changes only the view. */
export function createCameraNavigation(
  { engine, store, announce, send }: Context,
  setCamera: (camera: CameraState) => void,
): CameraNavigation {
  /** The camera at the start of the moves in progress. */
  let begin: Promise<CameraState> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Each step waits for the previous one. */
  let last: Promise<void> = Promise.resolve();
  const history = () => store.getState().cameras;

  store.subscribe(({ data }, former) => {
    if (data.dataSet === former.data.dataSet) return;
    begin = undefined;
    store.setState({ cameras: initialState.cameras });
  });

  /** Records the moves in progress as one step. */
  async function rest(): Promise<void> {
    clearTimeout(timer);
    if (!begin) return;
    const moves = begin;
    const [before, now] = await Promise.all([begin, engine.camera()]);
    if (begin !== moves) return;
    begin = undefined;
    if (isSame(before, now)) return;
    store.setState({ cameras: { past: [...history().past, before].slice(-maxSteps), future: [] } });
  }

  async function go(way: "past" | "future", none: string, done: string): Promise<void> {
    await rest();
    const camera = history()[way].at(-1);
    if (!camera) {
      announce(none);
      return;
    }
    const now = await engine.camera();
    const { past, future } = history();
    store.setState({
      cameras:
        way === "past"
          ? { past: past.slice(0, -1), future: [...future, now] }
          : { past: [...past, now], future: future.slice(0, -1) },
    });
    setCamera(camera);
    announce(done);
  }

  const queue = (...where: Parameters<typeof go>) => {
    const next = last.then(() => go(...where));
    last = next.catch(() => {});
    send("device", next);
    return last;
  };

  return {
    moves() {
      begin ??= engine.camera();
      clearTimeout(timer);
      timer = setTimeout(() => send("device", rest()), restMs);
    },
    back: () => queue("past", "There is no previous view.", "Back to the previous view"),
    forward: () => queue("future", "There is no next view.", "Forward to the next view"),
  };
}
