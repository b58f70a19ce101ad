import { vi } from "vitest";
import type { GpuContext } from "../device/context.ts";

/** What `work` asks of a device that costs more than its arguments. */
export interface DeviceCalls {
  readonly submissions: number;
  readonly waits: number;
  readonly writes: number;
  readonly buffers: number;
  readonly destroyed: number;
  readonly bindGroups: number;
  readonly pipelines: number;
  readonly errorScopes: number;
}

/** Counts the calls that `work` makes. */
export async function deviceCalls(
  { device }: GpuContext,
  work: () => Promise<unknown>,
): Promise<DeviceCalls> {
  const spies = {
    submissions: vi.spyOn(device.queue, "submit"),
    waits: vi.spyOn(GPUBuffer.prototype, "mapAsync"),
    writes: vi.spyOn(device.queue, "writeBuffer"),
    buffers: vi.spyOn(device, "createBuffer"),
    destroyed: vi.spyOn(GPUBuffer.prototype, "destroy"),
    bindGroups: vi.spyOn(device, "createBindGroup"),
    pipelines: vi.spyOn(device, "createComputePipelineAsync"),
    errorScopes: vi.spyOn(device, "pushErrorScope"),
  };
  try {
    await work();
    const counts = Object.entries(spies).map(([name, spy]) => [name, spy.mock.calls.length]);
    return Object.fromEntries(counts) as { [N in keyof DeviceCalls]: number };
  } finally {
    for (const spy of Object.values(spies)) spy.mockRestore();
  }
}
