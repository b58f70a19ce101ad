import type { GpuContext } from "../device/context.ts";
import type { ShaderRecord } from "../device/pipelines.ts";
import { dispatchExtents } from "../shader/dispatch.ts";

/** Buffers, or parts of them, by their binding number. */
export type Bindings = readonly (readonly [binding: number, buffer: GPUBuffer | GPUBufferBinding])[];

export const bindingEntries = (buffers: Bindings): GPUBindGroupEntry[] =>
  buffers.map(([binding, buffer]) => ({ binding, resource: "buffer" in buffer ? buffer : { buffer } }));

/** A compute pipeline with the buffers that it was last bound to. */
export class Kernel {
  readonly #gpu: GpuContext;
  readonly #label: string;
  readonly #pipeline: GPUComputePipeline;
  #group: GPUBindGroup | undefined;

  private constructor(gpu: GpuContext, label: string, pipeline: GPUComputePipeline) {
    this.#gpu = gpu;
    this.#label = label;
    this.#pipeline = pipeline;
  }

  static async create(gpu: GpuContext, shader: ShaderRecord): Promise<Kernel> {
    return new Kernel(gpu, shader.label, await gpu.pipelines.get(shader));
  }

  bind(...buffers: Bindings): void {
    this.#group = this.#gpu.device.createBindGroup({
      label: this.#label,
      layout: this.#pipeline.getBindGroupLayout(0),
      entries: bindingEntries(buffers),
    });
  }

  /** Workgroups are numbered by `linear_group`; those beyond must leave. Nothing where there are none. */
  dispatch(pass: GPUComputePassEncoder, workgroups: number): void {
    if (!this.#group || workgroups === 0) return;
    pass.setPipeline(this.#pipeline);
    pass.setBindGroup(0, this.#group);
    pass.dispatchWorkgroups(...dispatchExtents(workgroups));
    this.#gpu.counters.kernels++;
  }
}
