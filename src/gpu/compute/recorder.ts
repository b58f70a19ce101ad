import type { GpuContext } from "../device/context.ts";
import { dispatchExtents } from "../shader/dispatch.ts";
import { ParameterArena, type ParameterSlot } from "./arena.ts";
import { BindGroups, type Bindings } from "./bind-groups.ts";
import { Memory } from "./memory.ts";
import { type TaggedBuffer, TaggedWorkspace } from "./tagged.ts";
import { Workspace } from "./workspace.ts";

export type { Bindings } from "./bind-groups.ts";

/**
 * Collects dispatches and copies of several primitives into one command buffer. Nothing runs before `submit`, and
 * nothing waits. Dispatches share a compute pass until a copy needs the encoder.
 */
export class Recorder {
  readonly gpu: GpuContext;
  /** What it allocates from; tells of memory that was refused. */
  readonly memory: Memory;
  readonly #arena: ParameterArena;
  readonly #workspace: Workspace;
  readonly #tagged: TaggedWorkspace;
  readonly #groups: BindGroups;
  #encoder: GPUCommandEncoder | undefined;
  #pass: GPUComputePassEncoder | undefined;

  constructor(gpu: GpuContext) {
    this.gpu = gpu;
    this.memory = new Memory(gpu);
    this.#arena = new ParameterArena(this.memory);
    this.#workspace = new Workspace(this.memory, gpu.pool.largestBinding);
    this.#tagged = new TaggedWorkspace(this.memory);
    this.#groups = new BindGroups(gpu.device, this.memory);
  }

  /** Bytes of workspace held. */
  get workspaceSize(): number {
    return this.#workspace.size + this.#tagged.size;
  }

  /** A slot of 256 bytes, or of a multiple, with these words, to be bound as uniform or read-only storage in this recording. */
  parameters(words: ArrayLike<number>): ParameterSlot {
    return this.#arena.add(words);
  }

  /** A buffer for this recording (storage, copies, indirect), of at least `bytes`; what it holds is undefined. */
  workspace(label: string, bytes: number): GPUBuffer {
    return this.#workspace.take(label, bytes);
  }

  /**
   * A buffer for words that carry the tag in their upper 13 bits: whatever is left in it has smaller ones. Each use of
   * it gets a tag of its own, and may overwrite what earlier ones left.
   */
  tagged(bytes: number): TaggedBuffer {
    return this.#tagged.take(bytes, () => this.encoder);
  }

  /** Runs `record`, then lets later dispatches of this recording reuse the workspace that it took. */
  scratch<T>(record: () => T): T {
    const mark = this.#workspace.mark;
    try {
      return record();
    } finally {
      this.#workspace.release(mark);
    }
  }

  /** The command encoder, outside any pass: for copies and clears. */
  get encoder(): GPUCommandEncoder {
    this.#pass?.end();
    this.#pass = undefined;
    this.#encoder ??= this.gpu.device.createCommandEncoder({ label: "primitives" });
    return this.#encoder;
  }

  /** The open compute pass. */
  get pass(): GPUComputePassEncoder {
    this.#pass ??= this.encoder.beginComputePass({ label: "primitives" });
    return this.#pass;
  }

  /** One dispatch of at least `groups` workgroups (`linear_group` numbers them); none where `groups` is 0. */
  dispatch(pipeline: GPUComputePipeline, bindings: Bindings, groups: number): void {
    if (groups === 0) return;
    const { pass } = this;
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, this.bindGroup(pipeline, bindings));
    pass.dispatchWorkgroups(...dispatchExtents(groups));
    this.gpu.counters.kernels++;
  }

  /** Group 0 of a pipeline, with binding k being the kth resource. */
  bindGroup(pipeline: GPUComputePipeline, bindings: Bindings): GPUBindGroup {
    return this.#groups.get(pipeline, bindings);
  }

  /** Sends the parameters, submits what was recorded, and begins anew with the same workspace. */
  submit(): void {
    this.#pass?.end();
    this.#pass = undefined;
    if (this.#encoder) {
      this.#arena.send(this.gpu.device.queue);
      this.gpu.device.queue.submit([this.#encoder.finish()]);
    }
    this.#encoder = undefined;
    this.#workspace.release(0);
    this.#tagged.settle();
  }

  /**
   * Frees parameters and workspace; what was not submitted is dropped. It can record again, and has to begin so after a
   * submission that the device refused: workspace may lack memory, or what was to be written to it.
   */
  reset(): void {
    this.#pass?.end();
    this.#pass = undefined;
    this.#encoder = undefined;
    this.#arena.dispose();
    this.#workspace.dispose();
    this.#tagged.dispose();
  }

  dispose(): void {
    this.reset();
  }
}
