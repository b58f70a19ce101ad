import type { GpuContext } from "../device/context.ts";
import { ParameterArena, type ParameterSlot } from "./arena.ts";
import { type BindGroups, type Bindings, bindGroupsOf } from "./bind-groups.ts";
import { dispatchWorkgroups } from "./dispatch.ts";
import { Memory } from "./memory.ts";
import { type TaggedBuffer, TaggedWorkspace } from "./tagged.ts";
import { Workspace } from "./workspace.ts";

export type { Bindings } from "./bind-groups.ts";

/**
 * Collects dispatches and copies into one command buffer. Nothing runs before `submit`, and nothing waits. Dispatches
 * share a compute pass until a copy needs the encoder. Parameters and workspace are lent for the recording, and used again
 * by the next: repeating a recording allocates nothing on the GPU. For the same dispatches with the same resources again
 * and again see `BoundKernel`.
 */
export class Recorder {
  readonly gpu: GpuContext;
  /** What it allocates from, and what reports memory that was refused. */
  readonly memory: Memory;
  readonly #arena: ParameterArena;
  readonly #workspace: Workspace;
  readonly #tagged: TaggedWorkspace;
  readonly #groups: BindGroups;
  readonly #descriptor: GPUObjectDescriptorBase;
  #encoder: GPUCommandEncoder | undefined;
  #pass: GPUComputePassEncoder | undefined;

  /** Command encoders and passes have the label; kernels and buffers have their own. */
  constructor(gpu: GpuContext, label = "compute") {
    this.gpu = gpu;
    this.#descriptor = { label };
    this.memory = new Memory(gpu);
    this.#arena = new ParameterArena(this.memory, `${label}: parameters`);
    this.#workspace = new Workspace(this.memory, gpu.pool.largestBinding);
    this.#tagged = new TaggedWorkspace(this.memory);
    this.#groups = bindGroupsOf(gpu.device);
  }

  /** Bytes of workspace held. */
  get workspaceSize(): number {
    return this.#workspace.size + this.#tagged.size;
  }

  /** Bytes of parameters and workspace held. */
  get size(): number {
    return this.#arena.size + this.workspaceSize;
  }

  /** Whether something was recorded since the last submission. */
  get isRecording(): boolean {
    return this.#encoder !== undefined;
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
    this.#encoder ??= this.gpu.device.createCommandEncoder(this.#descriptor);
    return this.#encoder;
  }

  /** One dispatch of at least so many workgroups (`linear_group` numbers them); none where there are 0. */
  dispatch(pipeline: GPUComputePipeline, bindings: Bindings, workgroups: number): void {
    if (workgroups === 0) return;
    const group = this.#groups.get(pipeline, bindings, this.memory);
    this.#pass ??= this.encoder.beginComputePass(this.#descriptor);
    this.#pass.setPipeline(pipeline);
    this.#pass.setBindGroup(0, group);
    dispatchWorkgroups(this.gpu, this.#pass, workgroups);
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
