import { vi } from "vitest";
import { paperGpu } from "../../testing/paper-gpu.ts";

/** A pipeline that is nothing but its label. */
export const paperPipeline = (label: string) =>
  ({ label, getBindGroupLayout: () => ({ label }) }) as unknown as GPUComputePipeline;

/** A device on paper that notes the bind groups that it makes, and what is recorded into passes. */
export function notingGpu() {
  const gpu = paperGpu();
  const groups: GPUBindGroupDescriptor[] = [];
  const recorded: string[] = [];
  const { device } = gpu;
  vi.spyOn(device, "createBindGroup").mockImplementation((descriptor) => {
    groups.push(descriptor);
    return { label: descriptor.label } as GPUBindGroup;
  });
  const pass = {
    setPipeline: ({ label }: GPUComputePipeline) => recorded.push(`pipeline ${label}`),
    setBindGroup: (k: number, group: GPUBindGroup) => recorded.push(`group ${k} ${group.label}`),
    dispatchWorkgroups: (x: number, y = 1) => recorded.push(`dispatch ${x} × ${y}`),
    end: () => recorded.push("end"),
  } as unknown as GPUComputePassEncoder;
  const encoder = {
    beginComputePass: ({ label }: GPUComputePassDescriptor) => {
      recorded.push(`begin ${label}`);
      return pass;
    },
    finish: () => ({}),
    clearBuffer: () => recorded.push("clear"),
  } as unknown as GPUCommandEncoder;
  vi.spyOn(device, "createCommandEncoder").mockImplementation(() => encoder);
  return { gpu, pass, groups, recorded };
}
