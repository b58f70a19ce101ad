import type { GpuContext } from "../../src/gpu/device/context.ts";

/** A batch this long makes the wait at its end, and the rounding of the clock, less than a hundredth. */
const batchMs = { hardware: 60, software: 20 };
const batches = 7;

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

/**
 * Milliseconds of one `work`, which submits to the GPU without waiting: the median over batches of repetitions,
 * each batch ended by a wait for the GPU. The first batch, which finds the number of repetitions, does not count.
 */
export async function timeGpu(gpu: GpuContext, work: () => void): Promise<number> {
  const batch = async (repetitions: number): Promise<number> => {
    const start = performance.now();
    for (let i = 0; i < repetitions; i++) work();
    await gpu.idle();
    return performance.now() - start;
  };
  const goal = gpu.adapter.isSoftware ? batchMs.software : batchMs.hardware;
  await batch(1);
  let repetitions = 1;
  for (let ms = await batch(1); ms < goal && repetitions < 4096; ms = await batch(repetitions)) {
    repetitions = Math.min(4096, Math.ceil(repetitions * Math.min(8, (1.3 * goal) / Math.max(ms, 0.05))));
  }
  const times = [];
  for (let i = 0; i < batches; i++) times.push((await batch(repetitions)) / repetitions);
  return median(times);
}

/** Milliseconds of one asynchronous `work`, waits included: the median of `batches` runs after one that warms up. */
export async function timeAsync(work: () => Promise<unknown>): Promise<number> {
  await work();
  const times = [];
  for (let i = 0; i < batches; i++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return median(times);
}
