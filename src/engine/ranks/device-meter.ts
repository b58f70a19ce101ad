import type { GpuContext } from "../../gpu/device/context.ts";
import type { CostLedger } from "../../lang/expression/plan/cost.ts";

/**
 * Counts what a rank's part of surfaces moves, runs and holds on its GPU, whatever else the device holds. On a page the device also
 * does meanwhile what the page shows, which counts, too.
 */
export class DeviceMeter {
  readonly #gpu: GpuContext | undefined;
  /** What earlier work has left on the device. */
  #held = 0;

  constructor(gpu: GpuContext | undefined) {
    this.#gpu = gpu;
  }

  /** Adds what the work costs to a job's account. Pieces of work are measured one after the other. */
  async measure<T>(ledger: CostLedger, work: () => Promise<T>): Promise<T> {
    const gpu = this.#gpu;
    if (!gpu) return work();
    const before = { ...gpu.counters };
    const { current } = gpu.pool.use;
    const peakOf = gpu.pool.watchPeak();
    try {
      return await work();
    } finally {
      const { counters, pool } = gpu;
      const since = (what: keyof typeof before) => counters[what] - before[what];
      ledger.add({
        uploads: since("uploads"),
        downloads: since("downloads"),
        kernels: since("kernels"),
        uploadedBytes: since("uploadedBytes"),
        downloadedBytes: since("downloadedBytes"),
        peakBytes: Math.max(0, this.#held + peakOf() - current),
      });
      this.#held = Math.max(0, this.#held + pool.use.current - current);
    }
  }
}
