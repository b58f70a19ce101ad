import { type JobContext, unattended } from "../../../../core/job.ts";
import type { Statistics } from "../../../../core/statistics.ts";
import { fieldStatistics } from "../../../../gpu/algorithms/statistics/statistics.ts";
import type { GpuContext } from "../../../../gpu/device/context.ts";
import type { PassTimer } from "../../../../gpu/device/timing.ts";
import type { GpuField } from "../../../../gpu/fields/gpu-field.ts";
import type { Network } from "../../network/network.ts";
import { resolveReductions } from "../reductions.ts";
import type { GpuInputs, Strategy } from "../strategy.ts";
import { fusion } from "./plan.ts";
import { readyNetwork } from "./prepare.ts";

export interface KernelReport {
  readonly label: string;
  readonly wgsl: string;
  /** GPU time, where a timer was given and the device has timestamps. */
  readonly ms?: number;
}

export interface GpuEvaluation {
  /** The outputs asked for, by name; the caller releases them. */
  readonly fields: ReadonlyMap<string, GpuField>;
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
  { strategy = fusion, timer }: EvaluationOptions = {},
): Promise<GpuEvaluation> {
  const reports: KernelReport[] = [];
  const network = await resolveReductions(given, outputs, async (inner, names) => {
    const { found, kernels } = await measureOnGpu(gpu, inner, inputs, names, job, { strategy, timer });
    reports.push(...kernels);
    return found;
  });
  const scope = gpu.scope();
  try {
    const { kernels, memory } = await readyNetwork(gpu, network, inputs, outputs, scope, job, strategy);
    job.progress(0, "Computing on the GPU");
    await gpu.checked(`Computing ${outputs.join(", ")}`, () => {
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
    for (const [k, { kernel }] of kernels.entries()) {
      const time = times[k] === undefined ? {} : { ms: times[k] };
      reports.push({ label: kernel.label, wgsl: kernel.code, ...time });
    }
    return { fields: new Map(memory.outputs), kernels: reports };
  } finally {
    scope.release();
  }
}

/** Statistics of outputs, which live no longer than that takes. */
async function measureOnGpu(
  gpu: GpuContext,
  network: Network,
  inputs: GpuInputs,
  outputs: readonly string[],
  job: JobContext,
  options: EvaluationOptions,
): Promise<{ readonly found: ReadonlyMap<string, Statistics>; readonly kernels: readonly KernelReport[] }> {
  const { fields, kernels } = await evaluateOnGpu(gpu, network, inputs, outputs, job, options);
  try {
    const found = [...fields].map(
      async ([name, field]) => [name, await fieldStatistics(gpu, field)] as const,
    );
    return { found: new Map(await Promise.all(found)), kernels };
  } finally {
    for (const { buffer } of fields.values()) buffer.release();
  }
}

/** A network bound to its buffers, to be recorded as often as wanted: what benches and animations repeat. */
export interface PreparedEvaluation {
  readonly fields: ReadonlyMap<string, GpuField>;
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
  const network = await resolveReductions(given, outputs, async (inner, names) => {
    const { found } = await measureOnGpu(gpu, inner, inputs, names, job, { strategy });
    return found;
  });
  const scope = gpu.scope();
  try {
    const { kernels, memory } = await readyNetwork(gpu, network, inputs, outputs, scope, job, strategy);
    const dispatches = await gpu.checked(`Preparing ${outputs.join(", ")}`, () =>
      kernels.map((ready) => ready.bind(memory)),
    );
    return {
      fields: memory.outputs,
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
