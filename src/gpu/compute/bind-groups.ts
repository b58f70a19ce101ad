import type { Memory } from "./memory.ts";

/** Resources of group 0 by their number; those that the kernel does not use are left out. */
export type Bindings = readonly (GPUBindingResource | undefined)[];

interface Made {
  readonly bindings: Bindings;
  readonly group: GPUBindGroup;
}

/** Bind groups that are kept for the same parameters' place: a chain of methods may use a kernel in several recordings. */
const most = 4;

/**
 * Bind groups that are made again only where a repeated recording binds something else: making one costs more than
 * everything else that a dispatch does on the host.
 */
export class BindGroups {
  readonly #device: GPUDevice;
  readonly #memory: Memory;
  readonly #made = new WeakMap<GPUComputePipeline, WeakMap<GPUBuffer, Map<number, Made[]>>>();

  constructor(device: GPUDevice, memory: Memory) {
    this.#device = device;
    this.#memory = memory;
  }

  /** Group 0 of a pipeline, with binding k being the kth resource. */
  get(pipeline: GPUComputePipeline, bindings: Bindings): GPUBindGroup {
    const made = this.#place(pipeline, bindings[0]);
    // Binding 0 is parameters as a rule: their place tells a recording's dispatches apart.
    const offset = offsetOf(bindings[0]);
    const known = made?.get(offset) ?? [];
    const found = known.find((other) => isSame(other.bindings, bindings));
    if (found) return found.group;
    const entries = bindings.flatMap((resource, binding) => (resource ? [{ binding, resource }] : []));
    const layout = pipeline.getBindGroupLayout(0);
    const group = this.#memory.quietly(() => this.#device.createBindGroup({ layout, entries }));
    made?.set(offset, [{ bindings, group }, ...known.slice(0, most - 1)]);
    return group;
  }

  #place(pipeline: GPUComputePipeline, first: GPUBindingResource | undefined) {
    if (!first || !isRange(first)) return undefined;
    const buffers = getOrAdd(this.#made, pipeline, () => new WeakMap<GPUBuffer, Map<number, Made[]>>());
    return getOrAdd(buffers, first.buffer, () => new Map<number, Made[]>());
  }
}

function getOrAdd<K extends object, V>(map: WeakMap<K, V>, key: K, make: () => V): V {
  const known = map.get(key);
  if (known !== undefined) return known;
  const made = make();
  map.set(key, made);
  return made;
}

const isRange = (resource: GPUBindingResource): resource is GPUBufferBinding => "buffer" in resource;

const offsetOf = (resource: GPUBindingResource | undefined): number =>
  resource && isRange(resource) ? (resource.offset ?? 0) : 0;

function isSame(a: Bindings, b: Bindings): boolean {
  return a.length === b.length && a.every((resource, k) => isSameResource(resource, b[k]));
}

function isSameResource(a: GPUBindingResource | undefined, b: GPUBindingResource | undefined): boolean {
  if (a === b) return true;
  if (!a || !b || !isRange(a) || !isRange(b)) return false;
  return a.buffer === b.buffer && a.offset === b.offset && a.size === b.size;
}
