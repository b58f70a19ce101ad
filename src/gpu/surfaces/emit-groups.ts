import type { GpuContext } from "../device/context.ts";
import type { ShaderRecord } from "../device/pipelines.ts";

/** Four times what an H100 runs at once. */
const hardwareGroups = 8192;

/** Software adapters clear workgroup memory once for every four threads of a workgroup: few make the most of it. */
const softwareThreads = 8;
const softwareGroups = 32;

/** Workgroups that share so many blocks. */
export function emitGroups({ adapter }: GpuContext, blocks: number): number {
  return Math.min(blocks, adapter.isSoftware ? softwareGroups : hardwareGroups);
}

/** A kernel that takes a block at a time, with the device's number of `threads`. */
export function emitShader({ adapter }: GpuContext, shader: ShaderRecord): ShaderRecord {
  return adapter.isSoftware ? { ...shader, constants: { threads: softwareThreads } } : shader;
}
