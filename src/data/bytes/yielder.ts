import { checkCancelled, type JobContext, yieldToEventLoop } from "../../core/job.ts";

const intervalMs = 30;

/** Lets a long loop report progress, notice a cancel and yield to other events, at most every 30 ms. */
export class Yielder {
  readonly job: JobContext;
  readonly step: string;
  #last = performance.now();

  /** `step` describes the work, as in “Reading carotid.vtk”. */
  constructor(job: JobContext, step: string) {
    this.job = job;
    this.step = step;
  }

  /** Whether it is time to `yield`; cheap enough for every few thousand values. */
  isDue(): boolean {
    return performance.now() - this.#last >= intervalMs;
  }

  async yield(fraction: number): Promise<void> {
    this.check();
    this.job.progress(Math.min(Math.max(fraction, 0), 1), this.step);
    await yieldToEventLoop();
    this.check();
    this.#last = performance.now();
  }

  check(): void {
    checkCancelled(this.job, this.step);
  }
}
