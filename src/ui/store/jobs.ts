import type { EngineEvent } from "../../engine/api.ts";
import type { Context } from "./context.ts";

/** Shorter jobs show no progress bar. */
export const progressDelayMs = 300;

export interface Jobs {
  /** Shows progress while `work` lasts, under its name until the engine reports a step. */
  track<T>(name: string, work: () => Promise<T>): Promise<T>;
  cancel(): void;
  isBusy(): boolean;
  progress(event: Extract<EngineEvent, { kind: "progress" }>): void;
  ended(event: Extract<EngineEvent, { kind: "jobEnded" }>): void;
}

export function createJobs({ engine, store, patch, send }: Context): Jobs {
  let tracked = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  function begin(name: string): void {
    if (store.getState().job) return;
    store.setState({ job: { name, step: "", fraction: undefined, isVisible: false } });
    timer = setTimeout(() => {
      const { job } = store.getState();
      if (job) store.setState({ job: { ...job, isVisible: true } });
    }, progressDelayMs);
  }

  function end(): void {
    clearTimeout(timer);
    store.setState({ job: undefined });
  }

  return {
    async track(name, work) {
      tracked++;
      begin(name);
      try {
        return await work();
      } finally {
        tracked--;
        if (tracked === 0) end();
      }
    },
    cancel: () => send("compute", engine.cancel()),
    isBusy: () => tracked > 0,
    progress({ job: name, step, fraction }) {
      begin(name);
      const { job } = store.getState();
      if (job) store.setState({ job: { ...job, name, step, fraction } });
    },
    ended({ job: name, ms }) {
      // A job that no action of the user requested, such as a histogram, does not count as the last job.
      if (tracked === 0) end();
      else patch("measurements", { lastJob: { name, ms } });
    },
  };
}
