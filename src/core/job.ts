import { cancelled } from "./errors.ts";

/** What a long task is given: a way to say how far it is, and a way to learn that nobody wants its result. */
export interface JobContext {
  readonly signal: AbortSignal;
  /** `fraction` in [0, 1]; `step` names what is being done. */
  progress(fraction: number, step: string): void;
  /**
   * Says in a sentence what the person should know before the task goes on; undefined where what an earlier task said no longer
   * holds.
   */
  warn?(sentence: string | undefined): void;
}

/** For callers that neither watch nor cancel. */
export const noJob: JobContext = { signal: new AbortController().signal, progress: () => {} };

/** Throws Cancelled where the job's signal has been aborted. */
export function checkCancelled(job: JobContext, what: string): void {
  if (job.signal.aborted) throw cancelled(what);
}

/** Lets other events (a cancel, a frame) run; call it every few tens of milliseconds in long loops. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
