import { CrinkleError } from "../../core/errors.ts";
import { type AdapterDescription, openDevice } from "./adapter.ts";
import { lossReported } from "./loss.ts";
import { PipelineCache } from "./pipelines.ts";
import { BufferPool, BufferScope } from "./pool.ts";
import { Staging } from "./staging.ts";

/** What moved and ran since the counters were last cleared (seed 001's Dev-W, Dev-R and K-Exe). */
export interface TransferCounters {
  uploads: number;
  downloads: number;
  kernels: number;
  uploadedBytes: number;
  downloadedBytes: number;
}

const deviceLost = (reason: string, cause?: unknown): CrinkleError =>
  new CrinkleError({
    tag: "DeviceLost",
    problem: `The GPU was lost: ${reason || "the browser gave no reason"}.`,
    remedy: "The session is rebuilt from its data; if this happens again, reload the page or load less data.",
    cause,
  });

/**
 * The devices that are neither lost nor destroyed. Chromium 156 hangs (its main thread waits for a lock that it holds itself) when
 * it collects one that nothing refers to any more.
 */
const openDevices = new Set<GPUDevice>();

/** One GPU device with what belongs to it: buffers, pipelines, counters, and word of its loss. */
export class GpuContext {
  readonly device: GPUDevice;
  readonly adapter: AdapterDescription;
  readonly pool: BufferPool;
  readonly pipelines: PipelineCache;
  readonly staging: Staging;
  readonly counters: TransferCounters = {
    uploads: 0,
    downloads: 0,
    kernels: 0,
    uploadedBytes: 0,
    downloadedBytes: 0,
  };
  /** What a kernel binds at most. */
  readonly maxStorageBuffers: number;
  /** Rejects with DeviceLost when the device goes; never resolves. */
  readonly lost: Promise<never>;
  readonly #waiting = new Set<(loss: CrinkleError) => void>();
  #disposed = false;
  #lost = false;
  #loss: CrinkleError | undefined;

  constructor(device: GPUDevice, adapter: AdapterDescription) {
    this.device = device;
    this.adapter = adapter;
    this.pool = new BufferPool(device);
    this.pipelines = new PipelineCache(device);
    this.staging = new Staging(device);
    this.maxStorageBuffers = device.limits.maxStorageBuffersPerShaderStage;
    openDevices.add(device);
    this.lost = new Promise((_, reject) => {
      void device.lost.then((info) => {
        this.#lost = true;
        openDevices.delete(device);
        if (this.#disposed) return;
        this.#loss = deviceLost(info.message);
        reject(this.#loss);
        for (const give of this.#waiting) give(this.#loss);
        this.#waiting.clear();
      });
    });
    this.lost.catch(() => {});
  }

  /** Opens the best device of `gpu` (`navigator.gpu`, or Dawn's in Node). Throws NoWebGPU. */
  static async open(gpu: GPU | undefined): Promise<GpuContext> {
    const { device, adapter } = await openDevice(gpu);
    return new GpuContext(device, adapter);
  }

  get isLost(): boolean {
    return this.#lost;
  }

  countUpload(bytes: number): void {
    this.counters.uploads++;
    this.counters.uploadedBytes += bytes;
  }

  countDownload(bytes: number): void {
    this.counters.downloads++;
    this.counters.downloadedBytes += bytes;
  }

  scope(): BufferScope {
    return new BufferScope(this.pool);
  }

  /** Waits for `work`, or throws DeviceLost where the device goes first. */
  guard<T>(work: Promise<T>): Promise<T> {
    // A race with `lost` would keep what it waits for as long as the device lives.
    return new Promise((resolve, reject) => {
      const settle = (end: () => void) => {
        this.#waiting.delete(reject);
        end();
      };
      this.#waiting.add(reject);
      work.then(
        (result) => settle(() => resolve(result)),
        async (error) => {
          if (!(error instanceof CrinkleError)) await lossReported(this.device);
          settle(() => reject(error));
        },
      );
      if (this.#loss) reject(this.#loss);
    });
  }

  /**
   * Runs `work`, which encodes and submits, and throws OutOfMemory or ShaderError where the device reports a
   * fault in it. The check waits for the GPU process, not for the GPU. Only what `work` does before it returns is
   * checked, because the device's error scopes are a stack that other tasks would meet between two awaits; a
   * promise that it returns is waited for.
   */
  async checked<T>(what: string, work: () => T | Promise<T>): Promise<T> {
    this.device.pushErrorScope("out-of-memory");
    this.device.pushErrorScope("validation");
    let faults: Promise<(GPUError | null)[]>;
    let result: T | Promise<T>;
    try {
      result = work();
      // The faults may be known first, and are thrown then: nobody would handle its rejection.
      if (result instanceof Promise) result.catch(() => {});
    } finally {
      faults = Promise.all([this.device.popErrorScope(), this.device.popErrorScope()]);
      faults.catch(() => {});
    }
    const [validation, memory] = await this.guard(faults);
    if (memory) {
      throw new CrinkleError({
        tag: "OutOfMemory",
        problem: `${what} does not fit in GPU memory: ${memory.message}.`,
        remedy: "Remove derived fields, load less data, or close other tabs that use the GPU.",
      });
    }
    if (validation) {
      throw new CrinkleError({
        tag: "ShaderError",
        problem: `${what} was refused by the GPU: ${validation.message}`,
        remedy: "This is a fault of Crinkle; please report it.",
      });
    }
    return result instanceof Promise ? this.guard(result) : result;
  }

  /** Resolves when everything submitted so far has run. */
  idle(): Promise<undefined> {
    return this.guard(this.device.queue.onSubmittedWorkDone());
  }

  dispose(): void {
    this.#disposed = true;
    this.pool.dispose();
    this.device.destroy();
  }
}
