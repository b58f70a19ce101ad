import { yieldToEventLoop } from "../job.ts";

/** A batch takes about so long. */
const batchMs = 100;
const maxSweeps = 1024;

/** Sweeps that are run some at a time, so that other events, such as a cancellation, have their turn between two batches. */
export class SweepBatches {
  #sweeps = 1;

  /** Has `run` run the next batch, of up to `most` sweeps; resolves to how many they were. */
  async next(most: number, run: (sweeps: number) => Promise<void>): Promise<number> {
    const sweeps = Math.min(this.#sweeps, most);
    const began = performance.now();
    await run(sweeps);
    const ms = performance.now() - began;
    if (ms < batchMs) this.#sweeps = Math.min(maxSweeps, 2 * this.#sweeps);
    else if (ms > 3 * batchMs) this.#sweeps = Math.max(1, this.#sweeps >> 1);
    await yieldToEventLoop();
    return sweeps;
  }
}
