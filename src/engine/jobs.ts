import { CrinkleError, cancelled } from "../core/errors.ts";
import type { JobContext } from "../core/job.ts";

export interface JobEvents {
  progress(job: string, step: string, fraction: number): void;
  ended(job: string, ms: number): void;
  /** No job runs or waits any more. */
  idle?(): void;
}

/** Minimum interval between progress events of a job. */
const progressIntervalMs = 50;

interface Waiting {
  /** Preparations let nothing overtake them. */
  readonly kind: "job" | "part" | "preparation";
  run(): Promise<unknown>;
}

/**
 * Runs jobs one after the other; `cancel` ends the running one and drops the waiting ones. Parts of what several ranks do together
 * are jobs, too. A job that waits for such ranks lends its turn to them: their other jobs, with a part here, may have to end first.
 */
export class JobQueue {
  readonly #events: JobEvents;
  readonly #waiting: Waiting[] = [];
  readonly #controllers = new Set<AbortController>();
  readonly #settling: (() => void)[] = [];
  #generation = 0;
  /** Whether a job has the turn. */
  #isTaken = false;
  #isLent = false;
  /** The part that has borrowed the turn. */
  #borrower: Promise<unknown> | undefined;

  constructor(events: JobEvents) {
    this.#events = events;
  }

  get isIdle(): boolean {
    return !this.#isTaken && this.#waiting.length === 0;
  }

  /** Resolves or rejects as `work` does, once the jobs before it are done. Rejects with Cancelled after `cancel`. */
  run<T>(job: string, work: (context: JobContext) => Promise<T>): Promise<T> {
    return this.#enqueue("job", job, work, new AbortController());
  }

  /** The same for a job that `cancel` does not affect. */
  runAnyway<T>(job: string, work: (context: JobContext) => Promise<T>): Promise<T> {
    return this.#enqueue("job", job, work, undefined);
  }

  /** The same for a part of what several ranks do; `cancel` affects those that the person here asked for. */
  runPart<T>(job: string, isOwn: boolean, work: (context: JobContext) => Promise<T>): Promise<T> {
    return this.#enqueue("part", job, work, isOwn ? new AbortController() : undefined);
  }

  /** Called by the job that has the turn: while `work` waits for other ranks, parts have it. */
  async lend<T>(work: () => Promise<T>): Promise<T> {
    this.#isLent = true;
    this.#next();
    try {
      return await work();
    } finally {
      this.#isLent = false;
      await this.#borrower;
    }
  }

  /** The same without a word about its progress and its end, for what nobody asked for. */
  runQuietly<T>(work: () => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ kind: "job", run: () => work().then(resolve, reject) });
      this.#next();
    });
  }

  /** Makes further jobs wait for `preparation`, which `cancel` does not affect. */
  waitFor(preparation: Promise<unknown>): void {
    this.#waiting.push({ kind: "preparation", run: () => preparation });
    this.#next();
  }

  cancel(): void {
    this.#generation++;
    for (const controller of this.#controllers) controller.abort();
  }

  /** Resolves when no job runs or waits. */
  async settled(): Promise<void> {
    while (!this.isIdle) await new Promise<void>((resolve) => this.#settling.push(resolve));
  }

  #enqueue<T>(
    kind: Waiting["kind"],
    job: string,
    work: (context: JobContext) => Promise<T>,
    controller: AbortController | undefined,
  ): Promise<T> {
    const generation = this.#generation;
    return new Promise<T>((resolve, reject) => {
      const begin = async () => {
        if (controller && generation !== this.#generation) throw cancelled(job);
        if (controller) this.#controllers.add(controller);
        const start = performance.now();
        try {
          return await work(this.#context(job, (controller ?? new AbortController()).signal));
        } finally {
          if (controller) this.#controllers.delete(controller);
          this.#events.ended(job, performance.now() - start);
        }
      };
      this.#waiting.push({ kind, run: () => begin().then(resolve, reject) });
      this.#next();
    });
  }

  /** Begins what is next, if it can begin now. */
  #next(): void {
    if (!this.#isTaken) {
      const first = this.#waiting.shift();
      if (!first) {
        for (const resolve of this.#settling.splice(0)) resolve();
        this.#events.idle?.();
        return;
      }
      this.#isTaken = true;
      void this.#end(first, () => {
        this.#isTaken = false;
      });
    } else if (this.#isLent && !this.#borrower) {
      const end = this.#waiting.findIndex(({ kind }) => kind === "preparation");
      const at = this.#waiting.findIndex(({ kind }) => kind === "part");
      if (at < 0 || (end >= 0 && at > end)) return;
      const [part] = this.#waiting.splice(at, 1);
      this.#borrower = this.#end(part, () => {
        this.#borrower = undefined;
      });
    }
  }

  /** Runs it, always in a later turn of the event loop's queue than its caller. */
  async #end({ run }: Waiting, free: () => void): Promise<void> {
    await Promise.resolve();
    await run().catch(() => {});
    free();
    this.#next();
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
