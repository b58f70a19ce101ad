import { type JobContext, unattended } from "../../../../core/job.ts";
import type { Quantity } from "../../../../core/quantity.ts";
import type { GpuContext } from "../../../../gpu/device/context.ts";
import type { PassTimer } from "../../../../gpu/device/timing.ts";
import type { GpuField } from "../../../../gpu/fields/gpu-field.ts";
import type { Network } from "../../network/network.ts";
import { fusion } from "../../plan/fusion.ts";
import type { GpuInputs, Strategy } from "../../plan/kernel-planner.ts";
import { type Measure, type Part, resolveReductions } from "../../plan/reductions.ts";
import { deviceValues } from "./device-values.ts";
import { readyNetwork } from "./prepare.ts";

export interface KernelReport {
  readonly label: string;
  readonly wgsl: string;
  /** GPU time, where a timer was given and the device has timestamps. */
  readonly ms?: number;
}

export interface GpuEvaluation {
  /** The outputs that vary, by name; the caller releases them. */
  readonly fields: ReadonlyMap<string, GpuField>;
  /** The others. */
  readonly quantities: ReadonlyMap<string, Quantity>;
  /** In the order they ran: those of what reductions need come first. */
  readonly kernels: readonly KernelReport[];
}

export interface EvaluationOptions {
  /** Fusion where it is left out. */
  readonly strategy?: Strategy;
  /** Measures each kernel; the evaluation then waits for the GPU at its end. */
  readonly timer?: PassTimer;
}

/**
 * Computes the named outputs of a network on the GPU. Each temporary is freed once the last kernel that reads it has
 * been submitted. Submits without waiting for the GPU, unless a timer is given. Throws UnknownName, TooLarge,
 * OutOfMemory, Cancelled, and then gives back what it allocated.
 */
export async function evaluateOnGpu(
  gpu: GpuContext,
  given: Network,
  inputs: GpuInputs,
  outputs: readonly string[],
  job: JobContext,
  options: EvaluationOptions = {},
): Promise<GpuEvaluation> {
  const reports: KernelReport[] = [];
  const measure = measureOnGpu(gpu, inputs, job, options, reports);
  const { fields: part, quantities } = await resolveReductions(given, outputs, measure);
  const { fields, kernels } = await fieldsOnGpu(gpu, part, inputs, job, options);
  return { fields, quantities, kernels: [...reports, ...kernels] };
}

async function fieldsOnGpu(
  gpu: GpuContext,
  part: Part,
  inputs: GpuInputs,
  job: JobContext,
  { strategy = fusion, timer }: EvaluationOptions,
): Promise<Omit<GpuEvaluation, "quantities">> {
  if (part.names.length === 0) return { fields: new Map(), kernels: [] };
  const scope = gpu.scope();
  try {
    const { kernels, memory } = await readyNetwork(gpu, part, inputs, scope, job, strategy);
    job.progress(0, "Computing on the GPU");
    await gpu.checked(`Computing ${part.names.join(", ")}`, () => {
      kernels.forEach((ready, k) => {
        const { label } = ready.kernel;
        const dispatch = ready.bind(memory);
        const encoder = gpu.device.createCommandEncoder({ label });
        const pass = encoder.beginComputePass({ label, timestampWrites: timer?.next() });
        dispatch.record(pass);
        pass.end();
        gpu.device.queue.submit([encoder.finish()]);
        memory.releaseUnread(kernels.slice(k + 1));
      });
    });
    const times = timer ? await timer.read() : [];
    for (const { buffer } of memory.outputs.values()) scope.keep(buffer);
    const reports = kernels.map(
      ({ kernel }, k): KernelReport => ({
        label: kernel.label,
        wgsl: kernel.code,
        ...(times[k] === undefined ? {} : { ms: times[k] }),
      }),
    );
    return { fields: new Map(memory.outputs), kernels: reports };
  } finally {
    scope.release();
  }
}

/** Measures outputs, which live no longer than that takes, and adds the kernels that it took to `reports`. */
function measureOnGpu(
  gpu: GpuContext,
  inputs: GpuInputs,
  job: JobContext,
  options: EvaluationOptions,
  reports: KernelReport[],
): Measure {
  return async (part, read) => {
    const { fields, kernels } = await fieldsOnGpu(gpu, part, inputs, job, options);
    reports.push(...kernels);
    try {
      const values = [...fields].map(
        ([name, field]) => [name, deviceValues(gpu, inputs.grid, field)] as const,
      );
      return await read(new Map(values));
    } finally {
      for (const { buffer } of fields.values()) buffer.release();
    }
  };
}

/** A network bound to its buffers, to be recorded as often as wanted: what benches and animations repeat. */
export interface PreparedEvaluation {
  readonly fields: ReadonlyMap<string, GpuField>;
  /** The outputs that do not vary: of the values that the fields had when it was prepared. */
  readonly quantities: ReadonlyMap<string, Quantity>;
  /** What `record` encodes. */
  readonly kernels: readonly KernelReport[];
  /** Encodes every kernel, in order, into a compute pass. */
  record(pass: GPUComputePassEncoder): void;
  /** Frees outputs and temporaries. */
  release(): void;
}

export interface PrepareOptions {
  readonly job?: JobContext;
  readonly strategy?: Strategy;
}

/** Compiles and binds once. Temporaries live as long as the preparation. Throws what `evaluateOnGpu` throws. */
export async function prepareOnGpu(
  gpu: GpuContext,
  given: Network,
  inputs: GpuInputs,
  outputs: readonly string[],
  { job = unattended, strategy = fusion }: PrepareOptions = {},
): Promise<PreparedEvaluation> {
  const measure = measureOnGpu(gpu, inputs, job, { strategy }, []);
  const { fields: part, quantities } = await resolveReductions(given, outputs, measure);
  const scope = gpu.scope();
  try {
    const { kernels, memory } = await readyNetwork(gpu, part, inputs, scope, job, strategy);
    const dispatches = await gpu.checked(`Preparing ${outputs.join(", ")}`, () =>
      kernels.map((ready) => ready.bind(memory)),
    );
    return {
      fields: memory.outputs,
      quantities,
      kernels: kernels.map(({ kernel }) => ({ label: kernel.label, wgsl: kernel.code })),
      record(pass) {
        for (const dispatch of dispatches) dispatch.record(pass);
      },
      release: () => scope.release(),
    };
  } catch (error) {
    scope.release();
    throw error;
  }
}
