import type { GpuContext } from "../device/context.ts";
import type { ShaderRecord } from "../device/pipelines.ts";

/** Four times what an H100 runs at once. */
const hardwareGroups = 8192;

/** Several times what an H100 runs at once; on small grids the start of idle ones takes longer than the work. */
const maxStridingGroups = 4096;
const blocksPerGroup = 16;

/** Software adapters clear workgroup memory once for every four threads of a workgroup: few make the most of it. */
const softwareThreads = 8;
const softwareGroups = 32;

/** Workgroups that share so many blocks, one at a time. */
export function emitGroups({ adapter }: GpuContext, blocks: number): number {
  return Math.min(blocks, adapter.isSoftware ? softwareGroups : hardwareGroups);
}

/** Workgroups that share the selected blocks, the vertices or the triangles of a grid of so many blocks. */
export function stridingGroups({ adapter }: GpuContext, blocks: number): number {
  return adapter.isSoftware
    ? softwareGroups
    : Math.min(maxStridingGroups, Math.ceil(blocks / blocksPerGroup));
}

/** A kernel with an override constant `threads`, with the device's number of them. */
export function emitShader({ adapter }: GpuContext, shader: ShaderRecord): ShaderRecord {
  if (!adapter.isSoftware) return shader;
  return { ...shader, constants: { ...shader.constants, threads: softwareThreads } };
}
