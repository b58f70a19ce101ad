import { CrinkleError, cancelled } from "../core/errors.ts";
import type { JobContext } from "../core/job.ts";

export interface JobEvents {
  progress(job: string, step: string, fraction: number): void;
  ended(job: string, ms: number): void;
}

/** Minimum interval between progress events of a job. */
const progressIntervalMs = 50;

/** Runs jobs one after the other; `cancel` ends the running one and drops the waiting ones. */
export class JobQueue {
  readonly #events: JobEvents;
  #tail: Promise<unknown> = Promise.resolve();
  #generation = 0;
  #waiting = 0;
  #running: AbortController | undefined;

  constructor(events: JobEvents) {
    this.#events = events;
  }

  get isIdle(): boolean {
    return this.#waiting === 0;
  }

  /** Resolves or rejects as `work` does, once the jobs before it are done. Rejects with Cancelled after `cancel`. */
  run<T>(job: string, work: (context: JobContext) => Promise<T>): Promise<T> {
    return this.#enqueue(job, work, new AbortController());
  }

  /** The same for a job that `cancel` does not affect. */
  runAnyway<T>(job: string, work: (context: JobContext) => Promise<T>): Promise<T> {
    return this.#enqueue(job, work, undefined);
  }

  /** Makes further jobs wait for `preparation`, which `cancel` does not affect. */
  waitFor(preparation: Promise<unknown>): void {
    const settled = preparation.catch(() => {});
    this.#tail = this.#tail.then(() => settled);
  }

  cancel(): void {
    this.#generation++;
    this.#running?.abort();
  }

  /** Resolves when no job runs or waits. */
  async settled(): Promise<void> {
    while (this.#waiting > 0) await this.#tail;
  }

  #enqueue<T>(
    job: string,
    work: (context: JobContext) => Promise<T>,
    controller: AbortController | undefined,
  ): Promise<T> {
    const generation = this.#generation;
    this.#waiting++;
    const result = this.#tail.then(async () => {
      if (controller && generation !== this.#generation) throw cancelled(job);
      this.#running = controller;
      const start = performance.now();
      try {
        return await work(this.#context(job, (controller ?? new AbortController()).signal));
      } finally {
        this.#running = undefined;
        this.#events.ended(job, performance.now() - start);
      }
    });
    this.#tail = result.then(
      () => this.#waiting--,
      () => this.#waiting--,
    );
    return result;
  }

  #context(job: string, signal: AbortSignal): JobContext {
    let last = Number.NEGATIVE_INFINITY;
    return {
      signal,
      progress: (fraction, step) => {
        const now = performance.now();
        if (now - last < progressIntervalMs && fraction < 1) return;
        last = now;
        this.#events.progress(job, step, fraction);
      },
    };
  }
}

/** The error of a method that needs a data set while none is open. */
export const nothingOpen = (): CrinkleError =>
  new CrinkleError({
    tag: "BadArgument",
    problem: "No data set is open.",
    remedy: "Open a file or a sample first.",
  });

/** The error of a request on one data set whose turn comes after another has been opened. */
export const ofFormerData = (what: string, former: string, present: string): CrinkleError =>
  new CrinkleError({
    tag: "Cancelled",
    problem: `${what} was requested for “${former}”, but “${present}” has been opened since.`,
    remedy: "Request it again if you mean the data that is open now.",
  });
