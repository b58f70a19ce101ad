import type { RunCost } from "../../../../core/run-cost.ts";
import type { GpuContext } from "../../../../gpu/device/context.ts";
import { readBytes } from "../../../../gpu/device/transfer.ts";

/** What a device's transfers and dispatches take, measured once. */
export interface DeviceRates {
  readonly uploadBytesPerMs: number;
  readonly downloadBytesPerMs: number;
  /** A dispatch, and a wait for the device. */
  readonly dispatchMs: number;
  readonly waitMs: number;
}

/** Bytes that are sent to and fro: long enough for the rate, short enough for a start. */
const trialBytes = 4 << 20;

const measured = new WeakMap<GpuContext, Promise<DeviceRates>>();

/** The rates of a device, measured when first asked for: some milliseconds. */
export function deviceRates(gpu: GpuContext): Promise<DeviceRates> {
  let rates = measured.get(gpu);
  if (!rates) {
    rates = measure(gpu);
    measured.set(gpu, rates);
    rates.catch(() => measured.delete(gpu));
  }
  return rates;
}

async function measure(gpu: GpuContext): Promise<DeviceRates> {
  const scope = gpu.scope();
  try {
    const usage = GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;
    const buffer = scope.allocate("trial of transfers", trialBytes, usage);
    const data = new Float32Array(trialBytes / 4).fill(1);
    const timed = async (work: () => unknown): Promise<number> => {
      const start = performance.now();
      await work();
      await gpu.idle();
      return Math.max(1e-3, performance.now() - start);
    };
    const send = () => gpu.device.queue.writeBuffer(buffer.buffer, 0, data);
    await timed(send);
    await timed(() => readBytes(gpu, buffer));
    const waitMs = Math.min(await timed(() => {}), await timed(() => {}));
    const upload = Math.min(await timed(send), await timed(send));
    const download = Math.min(
      await timed(() => readBytes(gpu, buffer)),
      await timed(() => readBytes(gpu, buffer)),
    );
    return {
      uploadBytesPerMs: trialBytes / Math.max(1e-3, upload - waitMs),
      downloadBytesPerMs: trialBytes / Math.max(1e-3, download - waitMs),
      dispatchMs: 0.02,
      waitMs,
    };
  } finally {
    scope.release();
  }
}

/** How long a run will take but for what its kernels compute, which all strategies do alike. */
export const predictMs = (cost: RunCost, rates: DeviceRates): number =>
  cost.uploadedBytes / rates.uploadBytesPerMs +
  cost.downloadedBytes / rates.downloadBytesPerMs +
  cost.kernels * rates.dispatchMs +
  cost.downloads * rates.waitMs;
