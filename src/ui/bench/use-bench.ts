import { useCallback, useEffect, useRef, useState } from "react";
import type { BenchEvent, BenchRequest } from "../../bench/api.ts";
import type { BenchRow } from "../../bench/case.ts";
import { type BenchClient, connectBench } from "../../bench/client.ts";
import type { PlainError } from "../../core/errors.ts";
import { toPlainError } from "../store/plain-error.ts";

export type BenchLine =
  | { readonly kind: "row"; readonly row: BenchRow }
  | { readonly kind: "failed"; readonly name: string; readonly error: PlainError };

export interface BenchState {
  readonly isRunning: boolean;
  readonly machine: string | undefined;
  readonly isSoftware: boolean;
  /** Number of cases in the run; 0 before it begins. */
  readonly total: number;
  /** The cases that have been measured or have failed. */
  readonly lines: readonly BenchLine[];
  /** The case that is being measured, and its index among all. */
  readonly current: { readonly name: string; readonly index: number } | undefined;
  /** Shader pipelines compiled so far, and the milliseconds they took. */
  readonly compiled: { readonly pipelines: number; readonly ms: number } | undefined;
  /** Why the run failed. */
  readonly error: PlainError | undefined;
}

export const idleBench: BenchState = {
  isRunning: false,
  machine: undefined,
  isSoftware: false,
  total: 0,
  lines: [],
  current: undefined,
  compiled: undefined,
  error: undefined,
};

/** The state after another event from the bench. */
export function afterEvent(state: BenchState, event: BenchEvent): BenchState {
  switch (event.kind) {
    case "began":
      return { ...state, machine: event.machine, isSoftware: event.isSoftware, total: event.names.length };
    case "case":
      return { ...state, current: event };
    case "compiled":
      return { ...state, compiled: { pipelines: event.pipelines, ms: event.ms } };
    case "row":
    case "failed":
      return { ...state, lines: [...state.lines, event] };
  }
}

/** Runs one bench at a time, in a worker that starts with the first run and lives as long as the component. */
export function useBench(): {
  readonly state: BenchState;
  readonly run: (request: BenchRequest) => void;
  readonly cancel: () => void;
} {
  const [state, setState] = useState(idleBench);
  const client = useRef<BenchClient>(undefined);

  useEffect(() => () => client.current?.close(), []);

  const run = useCallback((request: BenchRequest) => {
    const fail = (error: PlainError) =>
      setState((before) => ({ ...before, isRunning: false, current: undefined, error }));
    setState({ ...idleBench, isRunning: true });
    client.current ??= connectBench((reason) => {
      client.current?.close();
      client.current = undefined;
      fail({
        tag: "Internal",
        problem: `The bench stopped: ${reason}.`,
        remedy: "Run it again, or reload the page.",
      });
    });
    const hear = (event: BenchEvent) => setState((before) => afterEvent(before, event));
    client.current.run(request, hear).then(
      () => setState((before) => ({ ...before, isRunning: false, current: undefined })),
      (error: unknown) => fail(toPlainError(error)),
    );
  }, []);

  return { state, run, cancel: () => client.current?.cancel() };
}
