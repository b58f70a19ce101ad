import { CrinkleError } from "../core/errors.ts";
import { describeAdapter } from "../gpu/device/adapter.ts";
import { GpuContext } from "../gpu/device/context.ts";

/** WebGPU where the program runs, or why there is none. */
export interface FoundGpu {
  readonly gpu: GPU | undefined;
  /** A sentence; empty where `gpu` is there. */
  readonly reason: string;
  /** Whether it runs on the CPU: then "auto" takes the CPU itself, which is faster. */
  readonly isSoftware?: boolean;
}

/** Where to compute: a GPU, or the CPU with the reason where a GPU was wanted. */
export interface Place {
  readonly gpu: GpuContext | undefined;
  readonly note?: string;
}

/** The devices that a host program computes on: one of our own, opened when first needed, and the caller's. */
export class Devices {
  readonly #find: () => Promise<FoundGpu>;
  #own: Promise<GpuContext> | undefined;
  readonly #callers = new WeakMap<GPUDevice, GpuContext>();

  constructor(find: () => Promise<FoundGpu>) {
    this.#find = find;
  }

  /** Throws NoWebGPU where a GPU must be and is not, DeviceLost where the caller's is lost. */
  async open(wanted: "auto" | "gpu" | "cpu" | GPUDevice): Promise<Place> {
    if (wanted === "cpu") return { gpu: undefined };
    if (typeof wanted === "object") return { gpu: await this.#caller(wanted) };
    if (wanted === "auto" && (await this.#find()).isSoftware) return { gpu: undefined };
    try {
      return { gpu: await this.#shared() };
    } catch (error) {
      if (wanted === "gpu" || !(error instanceof CrinkleError) || error.tag !== "NoWebGPU") throw error;
      return { gpu: undefined, note: `Computed on the CPU, for want of a GPU: ${error.problem}` };
    }
  }

  /** Destroys our own device; the next call opens another. */
  async release(): Promise<void> {
    const own = this.#own;
    this.#own = undefined;
    const gpu = await own?.catch(() => undefined);
    gpu?.dispose();
  }

  async #shared(): Promise<GpuContext> {
    const opened = await this.#own;
    if (opened?.isLost) this.#own = undefined;
    this.#own ??= this.#openOwn();
    const own = this.#own;
    own.catch(() => {
      if (this.#own === own) this.#own = undefined;
    });
    return own;
  }

  async #openOwn(): Promise<GpuContext> {
    const { gpu, reason } = await this.#find();
    if (!gpu && reason) {
      throw new CrinkleError({ tag: "NoWebGPU", problem: reason, remedy: "Use device “cpu” or “auto”." });
    }
    return GpuContext.open(gpu);
  }

  async #caller(device: GPUDevice): Promise<GpuContext> {
    let gpu = this.#callers.get(device);
    if (!gpu) {
      gpu = new GpuContext(device, describeAdapter(device.adapterInfo));
      this.#callers.set(device, gpu);
    }
    // A loss that has happened is known after one turn.
    const lost = await Promise.race([device.lost, Promise.resolve()]);
    if (!lost) return gpu;
    throw new CrinkleError({
      tag: "DeviceLost",
      problem: `The GPU device given is lost: ${lost.message || lost.reason}.`,
      remedy: "Ask its adapter for another, and make the buffers there.",
    });
  }
}
