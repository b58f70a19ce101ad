import { vi } from "vitest";
import { GpuContext } from "../device/context.ts";

/** Has every member, and answers every call with itself. */
const anything: unknown = new Proxy(() => {}, {
  get: (_, key) => (key === "then" ? undefined : anything),
  apply: () => anything,
});

/**
 * A device without memory that runs nothing: what is allocated is counted, and what is recorded goes nowhere. To be
 * asked how much memory work would take, at sizes that no test can hold.
 */
export function paperGpu(limits: Partial<GPUSupportedLimits> = {}): GpuContext {
  vi.stubGlobal("GPUBufferUsage", {
    ...{ MAP_READ: 1, MAP_WRITE: 2, COPY_SRC: 4, COPY_DST: 8, INDEX: 16, VERTEX: 32 },
    ...{ UNIFORM: 64, STORAGE: 128, INDIRECT: 256 },
  });
  vi.stubGlobal("GPUShaderStage", { VERTEX: 1, FRAGMENT: 2, COMPUTE: 4 });
  const device = {
    limits: {
      ...{ maxBufferSize: 2 ** 40, maxStorageBufferBindingSize: 2 ** 40 },
      ...{ maxComputeWorkgroupStorageSize: 49152, maxComputeInvocationsPerWorkgroup: 1024 },
      ...limits,
    },
    adapterInfo: { vendor: "nvidia", subgroupMinSize: 32, subgroupMaxSize: 32 },
    lost: new Promise(() => {}),
    queue: anything,
    createBuffer: ({ size, label }: GPUBufferDescriptor) => ({ size, label, destroy: () => {} }),
    createBindGroup: () => anything,
    createCommandEncoder: () => anything,
    createShaderModule: () => anything,
    createComputePipelineAsync: async () => anything,
    pushErrorScope: () => {},
    popErrorScope: async () => null,
  };
  const adapter = { description: "paper", isSoftware: false };
  // The members that allocating and recording use; the interfaces have dozens more.
  return new GpuContext(
    device as unknown as GPUDevice,
    adapter as unknown as ConstructorParameters<typeof GpuContext>[1],
  );
}
