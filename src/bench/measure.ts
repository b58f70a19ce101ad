import type { Recorder } from "../gpu/compute/recorder.ts";
import type { GpuContext } from "../gpu/device/context.ts";

/** A batch this long makes the wait at its end, and the rounding of the clock, less than a hundredth. */
const batchMs = { hardware: 60, software: 20 };
const batches = 7;
/** A slow case is measured by fewer: none begins after so long, but for these. */
const measuringMs = { hardware: 3000, software: 300 };
const fewestBatches = 3;
const maxRepetitions = 4096;

/** Repetitions in one command buffer: enough to hide its submission, few enough for the driver's watchdog. */
const passRepetitions = 64;

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}

/**
 * Milliseconds on the GPU of what `record` encodes into a pass: the median over batches of repetitions, each batch
 * ended by one wait. Dispatches that write what earlier ones wrote run one after the other, as they would apart.
 * The batches that find the number of repetitions do not count.
 */
export function timePass(gpu: GpuContext, record: (pass: GPUComputePassEncoder) => void): Promise<number> {
  return timeSubmits(gpu, (repetitions) => {
    const encoder = gpu.device.createCommandEncoder();
    const pass = encoder.beginComputePass();
    for (let i = 0; i < repetitions; i++) record(pass);
    pass.end();
    gpu.device.queue.submit([encoder.finish()]);
  });
}

/** As `timePass`, of what `record` encodes into a recorder of primitives. */
export function timeRecorded(gpu: GpuContext, recorder: Recorder, record: () => void): Promise<number> {
  return timeSubmits(gpu, (repetitions) => {
    for (let i = 0; i < repetitions; i++) record();
    recorder.submit();
  });
}

async function timeSubmits(gpu: GpuContext, submit: (repetitions: number) => void): Promise<number> {
  const batch = async (repetitions: number): Promise<number> => {
    const start = performance.now();
    for (let first = 0; first < repetitions; first += passRepetitions) {
      submit(Math.min(passRepetitions, repetitions - first));
    }
    await gpu.idle();
    return performance.now() - start;
  };
  const kind = gpu.adapter.isSoftware ? "software" : "hardware";
  const goal = batchMs[kind];
  await batch(1);
  let repetitions = 1;
  for (let ms = await batch(1); ms < goal && repetitions < maxRepetitions; ms = await batch(repetitions)) {
    const growth = Math.min(8, (1.3 * goal) / Math.max(ms, 0.05));
    repetitions = Math.min(maxRepetitions, Math.ceil(repetitions * growth));
  }
  const times = [];
  const start = performance.now();
  while (
    times.length < fewestBatches ||
    (times.length < batches && performance.now() - start < measuringMs[kind])
  ) {
    times.push((await batch(repetitions)) / repetitions);
  }
  return median(times);
}

/** Runs are repeated so long before they count: a chain of methods takes some hundreds until its JavaScript is compiled. */
const warmingMs = { hardware: 2000, software: 0 };

/** Milliseconds of one asynchronous `work`, waits included: the median of several runs after others that warm it up. */
export async function timeAsync(gpu: GpuContext, work: () => Promise<unknown>): Promise<number> {
  const kind = gpu.adapter.isSoftware ? "software" : "hardware";
  const begun = performance.now();
  do await work();
  while (performance.now() - begun < warmingMs[kind]);
  const times = [];
  for (let i = 0; i < batches; i++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  return median(times);
}
