import type { GpuContext } from "../../gpu/device/context.ts";
import type { BufferPool, PooledBuffer } from "../../gpu/device/pool.ts";
import type { RunCost } from "../../lang/expression/plan/report.ts";

/** What an evaluation moves and holds whose fields stay on the GPU: only those that are not there yet are sent. */
export class ResidentAccount {
  readonly #pool: BufferPool;
  readonly #before: number;
  readonly #sent = new Set<PooledBuffer>();
  readonly #present = new Set<PooledBuffer>();

  /** Begins to count: the pool's peak starts anew. */
  constructor({ pool }: GpuContext) {
    this.#pool = pool;
    this.#before = pool.use.current;
    pool.resetPeak();
  }

  /** Notes that a kernel reads this buffer, and whether it was there before. */
  reads(buffer: PooledBuffer, wasPresent: boolean): void {
    if (this.#sent.has(buffer)) return;
    (wasPresent ? this.#present : this.#sent).add(buffer);
  }

  /** What has been counted; `peakBytes` holds the arrays read, temporaries and results. */
  cost(kernels: number): RunCost {
    return {
      uploads: this.#sent.size,
      downloads: 0,
      kernels,
      uploadedBytes: sizeOf(this.#sent),
      downloadedBytes: 0,
      peakBytes: this.#pool.use.peak - this.#before + sizeOf(this.#present),
    };
  }
}

function sizeOf(buffers: Iterable<PooledBuffer>): number {
  let bytes = 0;
  for (const { size } of buffers) bytes += size;
  return bytes;
}
