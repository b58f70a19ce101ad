import type { StoreApi } from "zustand/vanilla";
import type { AsyncEngine } from "../../engine/client.ts";
import { toPlainError } from "./plain-error.ts";
import type { AppState, Subject } from "./state.ts";

/** What the actions of all subjects share. */
export interface Context {
  readonly engine: AsyncEngine;
  readonly store: StoreApi<AppState>;
  /** Merges a change into a part of the state, one level deep. */
  patch<Part extends PartName>(part: Part, change: Partial<AppState[Part]>): void;
  /** Shows a message in the status line. */
  announce(message: string): void;
  /** Shows an error; a cancelled job is only noted. The rest of the state stays as it was. */
  fail(subject: Subject, error: unknown): void;
  /** Dismisses the error of a subject, because an action of it has succeeded. */
  succeed(subject: Subject): void;
  /** Reports the failure of a call whose answer nobody awaits. */
  send(subject: Subject, answer: Promise<unknown>): void;
}

type PartName = "device" | "data" | "expressions" | "layers" | "status" | "measurements";

export function createContext(engine: AsyncEngine, store: StoreApi<AppState>): Context {
  let alerts = 0;
  const context: Context = {
    engine,
    store,
    patch: (part, change) => store.setState((state) => ({ [part]: { ...state[part], ...change } })),
    announce: (message) => context.patch("status", { message }),
    fail(subject, thrown) {
      const error = toPlainError(thrown);
      if (error.tag === "Cancelled") {
        context.announce(error.problem);
        return;
      }
      store.setState({ alert: { id: ++alerts, error, subject } });
    },
    succeed(subject) {
      if (store.getState().alert?.subject === subject) store.setState({ alert: undefined });
    },
    send: (subject, answer) => void answer.catch((error) => context.fail(subject, error)),
  };
  return context;
}
