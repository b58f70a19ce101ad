import { type Grid, valueCount, valueDims } from "../../../../core/grid.ts";
import { checkCancelled, type JobContext } from "../../../../core/job.ts";
import type { GpuContext } from "../../../../gpu/device/context.ts";
import type { BufferScope, PooledBuffer } from "../../../../gpu/device/pool.ts";
import type { GpuField } from "../../../../gpu/fields/gpu-field.ts";
import type { Network, NodeId } from "../../network/network.ts";
import { inputsFirst } from "../../network/walk.ts";
import type { Binding, Kernel, Store } from "../../plan/kernel.ts";
import type { GpuInputs, Strategy } from "../../plan/kernel-planner.ts";
import { chosenOutputs } from "../../plan/outputs.ts";
import type { Part } from "../../plan/reductions.ts";
import { inputsOf } from "../../plan/stages.ts";
import { componentsOf } from "../../types.ts";
import { compileKernel, type Dispatch } from "./dispatch.ts";

/** A compiled kernel that still needs memory for what it writes. */
export interface ReadyKernel {
  readonly kernel: Kernel;
  /** Allocates what the kernel writes, and binds it. */
  bind(memory: Memory): Dispatch;
}

export interface ReadyNetwork {
  readonly kernels: readonly ReadyKernel[];
  readonly memory: Memory;
}

const planeUsage = () => GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;

/** The buffers of one evaluation, owned by its scope. */
class Memory {
  readonly scope: BufferScope;
  readonly #grid: Grid;
  readonly #inputs: GpuInputs;
  readonly #sources: ReadonlyMap<string, GpuField>;
  readonly #temporaries = new Map<NodeId, PooledBuffer>();
  readonly #outputs = new Map<string, GpuField>();

  constructor(scope: BufferScope, inputs: GpuInputs, sources: ReadonlyMap<string, GpuField>) {
    this.scope = scope;
    this.#grid = inputs.grid;
    this.#inputs = inputs;
    this.#sources = sources;
  }

  get outputs(): ReadonlyMap<string, GpuField> {
    return this.#outputs;
  }

  bufferOf(binding: Binding, kernel: Kernel): PooledBuffer {
    switch (binding.kind) {
      case "tables":
        return this.#inputs.tables(binding.centering).buffer;
      case "source":
        return (this.#sources.get(binding.field) as GpuField).buffer;
      case "temporary":
        return this.#temporaries.get(binding.node) as PooledBuffer;
      case "store":
        return this.#store(binding.store, kernel);
    }
  }

  /** Frees the temporaries that none of `kernels` reads; those that are outputs stay. */
  releaseUnread(kernels: readonly ReadyKernel[]): void {
    const read = new Set<NodeId>();
    for (const { kernel } of kernels) {
      for (const binding of kernel.bindings) if (binding.kind === "temporary") read.add(binding.node);
    }
    const kept = new Set([...this.#outputs.values()].map(({ buffer }) => buffer));
    for (const [node, buffer] of this.#temporaries) {
      if (read.has(node)) continue;
      if (!kept.has(buffer)) buffer.release();
      this.#temporaries.delete(node);
    }
  }

  #store({ node, type, output }: Store, { centering }: Kernel): PooledBuffer {
    const components = componentsOf(type);
    const count = valueCount(this.#grid, centering);
    const label = output === undefined ? "a temporary field" : `the field “${output}”`;
    const buffer = this.scope.allocate(label, count * components * 4, planeUsage());
    this.#temporaries.set(node, buffer);
    if (output !== undefined) {
      const dims = valueDims(this.#grid, centering);
      const offsets = new Array<number>(components).fill(0);
      this.#outputs.set(output, { name: output, centering, components, dims, count, buffer, offsets });
    }
    return buffer;
  }
}

/** Asks for the fields that the outputs need, plans and compiles their kernels. Nothing is allocated yet. */
export async function readyNetwork(
  gpu: GpuContext,
  { network, names }: Part,
  inputs: GpuInputs,
  scope: BufferScope,
  job: JobContext,
  strategy: Strategy,
): Promise<ReadyNetwork> {
  const chosen = chosenOutputs(network, names);
  const sources = new Map<string, GpuField>();
  for (const name of fieldsOf(
    network,
    chosen.map(({ node }) => node),
  )) {
    sources.set(name, await inputs.field(name));
    checkCancelled(job, "Computing the expression");
  }
  const kernels = strategy.plan(network, chosen, (name) => sources.get(name) as GpuField, {
    storageBuffers: gpu.device.limits.maxStorageBuffersPerShaderStage,
  });
  job.progress(0, "Compiling the expression");
  const binders = await Promise.all(kernels.map((kernel) => compileKernel(gpu, kernel, inputs.grid)));
  checkCancelled(job, "Computing the expression");
  return {
    memory: new Memory(scope, inputs, sources),
    kernels: kernels.map((kernel, k) => ({
      kernel,
      bind: (memory) =>
        binders[k](
          kernel.bindings.map((binding) => memory.bufferOf(binding, kernel)),
          memory.scope,
        ),
    })),
  };
}

function fieldsOf(network: Network, outputs: readonly NodeId[]): Set<string> {
  const nodes = inputsFirst(outputs, (id) => inputsOf(network.nodes[id])).map((id) => network.nodes[id]);
  return new Set(nodes.flatMap((node) => (node.kind === "source" ? [node.field] : [])));
}
