import type { Memory } from "./memory.ts";

/**
 * What a kernel binds in group 0: the resource at index k is binding k, and undefined where the kernel has none. A
 * `PooledBuffer`, a `ParameterSlot` and a `Uniform` are such ranges, too.
 */
export type Bindings = readonly (GPUBufferBinding | undefined)[];

interface Cached {
  readonly bindings: Bindings;
  readonly group: GPUBindGroup;
}

type ByOffset = Map<number, readonly Cached[]>;

/** Bind groups that are kept for the same first range: a chain of methods may use a kernel in several recordings. */
const maxCached = 4;

/**
 * The bind groups of a device. Making one costs more than everything else that a dispatch does on the host, so that
 * the latest of each kernel are kept and found again by their resources. They live no longer than their first buffer.
 */
export class BindGroups {
  readonly #device: GPUDevice;
  readonly #cached = new WeakMap<GPUComputePipeline, WeakMap<GPUBuffer, ByOffset>>();

  constructor(device: GPUDevice) {
    this.#device = device;
  }

  /**
   * Group 0 of a pipeline. Give `memory` where it allocated what is bound: the device may have refused that, which is
   * reported where the work is submitted.
   */
  get(pipeline: GPUComputePipeline, bindings: Bindings, memory?: Memory): GPUBindGroup {
    let first: GPUBufferBinding | undefined;
    for (let k = 0; !first && k < bindings.length; k++) first = bindings[k];
    if (!first) return this.#make(pipeline, bindings);
    // The first range holds parameters as a rule: their offset distinguishes the dispatches of a recording.
    const offset = first.offset ?? 0;
    const byOffset = this.#of(pipeline, first.buffer);
    const known = byOffset.get(offset);
    if (known) {
      for (const cached of known) if (isSame(cached.bindings, bindings)) return cached.group;
    }
    const make = () => this.#make(pipeline, bindings);
    const group = memory ? memory.suppressingErrors(make) : make();
    byOffset.set(offset, [{ bindings: [...bindings], group }, ...(known ?? []).slice(0, maxCached - 1)]);
    return group;
  }

  #make(pipeline: GPUComputePipeline, bindings: Bindings): GPUBindGroup {
    const entries = bindings.flatMap((range, binding) =>
      range
        ? [{ binding, resource: { buffer: range.buffer, offset: range.offset ?? 0, size: range.size } }]
        : [],
    );
    return this.#device.createBindGroup({
      label: pipeline.label,
      layout: pipeline.getBindGroupLayout(0),
      entries,
    });
  }

  #of(pipeline: GPUComputePipeline, buffer: GPUBuffer): ByOffset {
    let byBuffer = this.#cached.get(pipeline);
    if (!byBuffer) {
      byBuffer = new WeakMap();
      this.#cached.set(pipeline, byBuffer);
    }
    let byOffset = byBuffer.get(buffer);
    if (!byOffset) {
      byOffset = new Map();
      byBuffer.set(buffer, byOffset);
    }
    return byOffset;
  }
}

const devices = new WeakMap<GPUDevice, BindGroups>();

/** The cache of a device. */
export function bindGroupsOf(device: GPUDevice): BindGroups {
  let groups = devices.get(device);
  if (!groups) {
    groups = new BindGroups(device);
    devices.set(device, groups);
  }
  return groups;
}

function isSame(a: Bindings, b: Bindings): boolean {
  if (a.length !== b.length) return false;
  for (let k = 0; k < a.length; k++) {
    const x = a[k];
    const y = b[k];
    if (x === y) continue;
    if (!x || !y || x.buffer !== y.buffer || x.size !== y.size) return false;
    if ((x.offset ?? 0) !== (y.offset ?? 0)) return false;
  }
  return true;
}
