import type { JobContext } from "../../../../core/job.ts";
import { unattended } from "../../../../core/job.ts";
import type { GpuContext } from "../../../../gpu/device/context.ts";
import type { GpuField } from "../../../../gpu/fields/gpu-field.ts";
import type { Network } from "../../network/network.ts";
import type { EvaluationOptions, GpuEvaluation, GpuInputs, KernelReport, Strategy } from "../strategy.ts";
import { readyNetwork } from "./prepare.ts";

/**
 * Computes outputs of a network with as few kernels as its stencils allow (seed 001, § III.C.3): element-wise values
 * live in registers, and only computed values that a stencil cannot recompute are stored, until their last use.
 */
export async function evaluateOnGpu(
  gpu: GpuContext,
  network: Network,
  inputs: GpuInputs,
  outputs: readonly string[],
  job: JobContext,
  { timer }: EvaluationOptions = {},
): Promise<GpuEvaluation> {
  const scope = gpu.scope();
  try {
    const { kernels, memory } = await readyNetwork(gpu, network, inputs, outputs, scope, job);
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

export const fusion: Strategy = { name: "fusion", evaluate: evaluateOnGpu };

/** A network bound to its buffers, to be recorded as often as wanted: what benches and animations repeat. */
export interface PreparedEvaluation {
  readonly fields: ReadonlyMap<string, GpuField>;
  readonly kernels: readonly KernelReport[];
  /** Encodes every kernel, in order, into a compute pass. */
  record(pass: GPUComputePassEncoder): void;
  /** Frees outputs and temporaries. */
  release(): void;
}

/** Compiles and binds once. Temporaries live as long as the preparation. Throws what `evaluateOnGpu` throws. */
export async function prepareOnGpu(
  gpu: GpuContext,
  network: Network,
  inputs: GpuInputs,
  outputs: readonly string[],
  job: JobContext = unattended,
): Promise<PreparedEvaluation> {
  const scope = gpu.scope();
  try {
    const { kernels, memory } = await readyNetwork(gpu, network, inputs, outputs, scope, job);
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
