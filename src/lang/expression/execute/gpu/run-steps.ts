import { type DataSet, type Field, fieldNamed, makeField } from "../../../../core/field.ts";
import type { Centering } from "../../../../core/grid.ts";
import { valueCount } from "../../../../core/grid.ts";
import { checkCancelled, type JobContext } from "../../../../core/job.ts";
import type { GpuContext } from "../../../../gpu/device/context.ts";
import type { BufferScope, PooledBuffer } from "../../../../gpu/device/pool.ts";
import type { PassTimer } from "../../../../gpu/device/timing.ts";
import { readUnchangingF32, sendF32 } from "../../../../gpu/device/transfer.ts";
import { createGridTables } from "../../../../gpu/fields/grid-tables.ts";
import { uploadField } from "../../../../gpu/fields/upload.ts";
import type { Network, NetworkOutput, NodeId } from "../../network/network.ts";
import type { FieldLayout } from "../../plan/kernel-planner.ts";
import { type ArrayName, arrayOf, keyOf, type Step } from "../../plan/lifetimes.ts";
import type { RunCost } from "../../plan/report.ts";
import { centeringOf } from "../../plan/stages.ts";
import { componentsOf } from "../../types.ts";
import { compileKernel } from "./dispatch.ts";
import type { KernelReport } from "./evaluate.ts";
import { HostPlanes } from "./host-planes.ts";

const usage = () => GPUBufferUsage.STORAGE | GPUBufferUsage.COPY_SRC | GPUBufferUsage.COPY_DST;

export interface StepsResult {
  readonly fields: ReadonlyMap<string, Field>;
  readonly cost: RunCost;
  readonly kernelReports: readonly KernelReport[];
}

/**
 * Runs steps on the device and gives the outputs on the host. All that it allocates is freed when it ends, fails or is
 * cancelled. Throws TooLarge, OutOfMemory, ShaderError, Cancelled.
 */
export async function runSteps(
  gpu: GpuContext,
  network: Network,
  dataSet: DataSet,
  outputs: readonly NetworkOutput[],
  steps: readonly Step[],
  layout: (field: string) => FieldLayout,
  job: JobContext,
  timer?: PassTimer,
): Promise<StepsResult> {
  job.progress(0, "Compiling the expression");
  const binders = await Promise.all(steps.map(({ kernel }) => compileKernel(gpu, kernel, dataSet.grid)));
  const planes = new HostPlanes(network, steps, outputs);
  const arrays = new DeviceArrays(gpu, network, dataSet, layout, planes, job);
  try {
    for (const [k, { kernel, sent, written, returned, dead }] of steps.entries()) {
      checkCancelled(job, "Computing the expression");
      job.progress(k / steps.length, "Computing on the GPU");
      for (const name of sent) await arrays.send(name);
      const scope = gpu.scope();
      try {
        await gpu.checked(`Computing ${kernel.label}`, () => {
          for (const node of written) arrays.allocate(node);
          const dispatch = binders[k](
            kernel.bindings.map((binding) => arrays.bufferOf(arrayOf(binding))),
            scope,
          );
          const encoder = gpu.device.createCommandEncoder({ label: kernel.label });
          const pass = encoder.beginComputePass({ label: kernel.label, timestampWrites: timer?.next() });
          dispatch.record(pass);
          pass.end();
          gpu.device.queue.submit([encoder.finish()]);
        });
        arrays.cost.kernels++;
        for (const node of returned) await arrays.fetch(node);
      } finally {
        scope.release();
      }
      for (const name of dead) arrays.release(name);
      planes.settle(k);
    }
    const times = timer ? await timer.read() : [];
    return {
      fields: new Map(outputs.map(({ name, node }) => [name, arrays.field(name, node)])),
      cost: arrays.cost,
      kernelReports: steps.map(({ kernel: { label, code } }, k) => ({
        label,
        wgsl: code,
        ...(times[k] === undefined ? {} : { ms: times[k] }),
      })),
    };
  } finally {
    arrays.dispose();
  }
}

/** The arrays of one run, on the device and back on the host. */
class DeviceArrays {
  readonly cost = {
    uploads: 0,
    downloads: 0,
    kernels: 0,
    uploadedBytes: 0,
    downloadedBytes: 0,
    peakBytes: 0,
  };
  readonly #gpu: GpuContext;
  readonly #network: Network;
  readonly #dataSet: DataSet;
  readonly #layout: (field: string) => FieldLayout;
  readonly #job: JobContext;
  readonly #scope: BufferScope;
  readonly #held = new Map<string, PooledBuffer>();
  readonly #planes: HostPlanes;
  #bytes = 0;

  constructor(
    gpu: GpuContext,
    network: Network,
    dataSet: DataSet,
    layout: (field: string) => FieldLayout,
    planes: HostPlanes,
    job: JobContext,
  ) {
    this.#gpu = gpu;
    this.#network = network;
    this.#dataSet = dataSet;
    this.#layout = layout;
    this.#planes = planes;
    this.#job = job;
    this.#scope = gpu.scope();
  }

  bufferOf(name: ArrayName): PooledBuffer {
    return this.#held.get(keyOf(name)) as PooledBuffer;
  }

  async send(name: ArrayName): Promise<void> {
    const buffer = await this.#sent(name);
    this.cost.uploads++;
    this.cost.uploadedBytes += buffer.size;
    this.#hold(name, buffer);
  }

  allocate(node: NodeId): void {
    const { components, count } = this.#shape(node);
    const label = `a value of ${this.#network.nodes[node].kind}`;
    this.#hold({ kind: "value", node }, this.#scope.allocate(label, count * components * 4, usage()));
  }

  async fetch(node: NodeId): Promise<void> {
    const buffer = this.bufferOf({ kind: "value", node });
    const { components, count } = this.#shape(node);
    await readUnchangingF32(this.#gpu, buffer, this.#planes.make(node, components * count));
    this.cost.downloads++;
    this.cost.downloadedBytes += buffer.size;
  }

  release(name: ArrayName): void {
    const buffer = this.bufferOf(name);
    this.#held.delete(keyOf(name));
    this.#bytes -= buffer.size;
    buffer.release();
  }

  /** A value that came back as a field of its own. */
  field(name: string, node: NodeId): Field {
    const { components, count, centering } = this.#shape(node);
    if (components === 1) {
      return makeField(this.#dataSet.grid, name, centering, 1, this.#planes.give(node, count));
    }
    const planes = this.#planes.of(node, count);
    const data = new Float32Array(planes.length);
    for (let c = 0; c < components; c++) {
      for (let i = 0; i < count; i++) data[i * components + c] = planes[c * count + i];
    }
    return makeField(this.#dataSet.grid, name, centering, components, data);
  }

  dispose(): void {
    for (const buffer of this.#held.values()) buffer.release();
    this.#held.clear();
    this.#scope.release();
  }

  #hold(name: ArrayName, buffer: PooledBuffer): void {
    this.#held.set(keyOf(name), buffer);
    this.#bytes += buffer.size;
    this.cost.peakBytes = Math.max(this.cost.peakBytes, this.#bytes);
  }

  async #sent(name: ArrayName): Promise<PooledBuffer> {
    const gpu = this.#gpu;
    const { grid } = this.#dataSet;
    switch (name.kind) {
      case "tables":
        return createGridTables(gpu, grid, name.centering).buffer;
      case "field":
        return this.#sentField(name.field);
      case "value": {
        const planes = this.#planes.of(name.node, this.#shape(name.node).count);
        const buffer = await gpu.checked("A value that is sent again", () =>
          this.#scope.allocate("a value sent again", planes.byteLength, usage()),
        );
        await sendF32(gpu, buffer.buffer, 0, planes.length, (part, first) =>
          part.set(planes.subarray(first, first + part.length)),
        );
        gpu.counters.uploads++;
        return buffer;
      }
    }
  }

  async #sentField(name: string): Promise<PooledBuffer> {
    const field = fieldNamed(this.#dataSet, name) as Field;
    const { offsets } = this.#layout(name);
    return (await uploadField(this.#gpu, this.#dataSet.grid, field, this.#job, offsets)).buffer;
  }

  #shape(node: NodeId): { components: number; count: number; centering: Centering } {
    const one = this.#network.nodes[node];
    const centering = centeringOf(one);
    return {
      components: componentsOf(one.type.value),
      count: valueCount(this.#dataSet.grid, centering),
      centering,
    };
  }
}
