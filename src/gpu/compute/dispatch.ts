import type { GpuContext } from "../device/context.ts";
import { dispatchExtents, maxGroupsPerDimension } from "../shader/dispatch.ts";
import { type Bindings, bindGroupsOf } from "./bind-groups.ts";

/**
 * Dispatches at least so many workgroups of the kernel that is set, which `linear_group` numbers: those beyond the last
 * must leave.
 */
export function dispatchWorkgroups(gpu: GpuContext, pass: GPUComputePassEncoder, workgroups: number): void {
  if (workgroups <= maxGroupsPerDimension) pass.dispatchWorkgroups(workgroups);
  else pass.dispatchWorkgroups(...dispatchExtents(workgroups));
  gpu.counters.kernels++;
}

/**
 * A kernel with its bindings, for passes that dispatch it again and again: a dispatch allocates nothing. The bind group
 * is the device's cached one, so that going back to earlier buffers makes none.
 *
 * Whoever evaluates a plan of kernels (an expression, a time step) binds each kernel to its buffers once, then records all
 * of them into one pass of `submitPass` for each evaluation, or each into a pass of its own where temporaries are freed or
 * kernels are timed in between. Parameters that stay are a `Uniform` at the binding that the kernel declares.
 */
export class BoundKernel {
  readonly #gpu: GpuContext;
  readonly #pipeline: GPUComputePipeline;
  readonly #group: GPUBindGroup;

  constructor(gpu: GpuContext, pipeline: GPUComputePipeline, bindings: Bindings) {
    this.#gpu = gpu;
    this.#pipeline = pipeline;
    this.#group = bindGroupsOf(gpu.device).get(pipeline, bindings);
  }

  /** Records at least so many workgroups; nothing where `workgroups` is 0. */
  dispatch(pass: GPUComputePassEncoder, workgroups: number): void {
    if (workgroups === 0) return;
    pass.setPipeline(this.#pipeline);
    pass.setBindGroup(0, this.#group);
    dispatchWorkgroups(this.#gpu, pass, workgroups);
  }
}

/** Submits one compute pass that `record` fills, under this label. Nothing waits for it. */
export function submitPass(
  { device }: GpuContext,
  label: string,
  record: (pass: GPUComputePassEncoder) => void,
  timestampWrites?: GPUComputePassTimestampWrites,
): void {
  const encoder = device.createCommandEncoder({ label });
  const pass = encoder.beginComputePass({ label, timestampWrites });
  record(pass);
  pass.end();
  device.queue.submit([encoder.finish()]);
}
