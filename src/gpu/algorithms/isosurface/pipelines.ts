import type { GpuContext } from "../../device/context.ts";
import { type Bindings, bindingEntries } from "../surface/kernel.ts";
import { blockRangesShader } from "./kernels/block-ranges.ts";
import { emitTrianglesShader } from "./kernels/emit-triangles.ts";
import { emitVerticesShader } from "./kernels/emit-vertices.ts";
import { markEdgesShader } from "./kernels/mark-edges.ts";
import { nextShader, resetShader, selectBlocksShader } from "./kernels/select-blocks.ts";

const shaders = {
  reset: resetShader,
  next: nextShader,
  ranges: blockRangesShader,
  select: selectBlocksShader,
  mark: markEdgesShader,
  vertices: emitVerticesShader,
  triangles: emitTrianglesShader,
} as const;

export type Stage = keyof typeof shaders;

export interface Pipelines extends Readonly<Record<Stage, GPUComputePipeline>> {
  /** Workgroups that share the selected blocks, the vertices or the triangles of a grid of so many blocks. */
  groups(blocks: number): number;
}

/** Several times what an H100 runs at once; on small grids the start of idle ones takes longer than the work. */
const mostGroups = 4096;
const blocksPerGroup = 16;

/** Software adapters clear workgroup memory once for every four threads of a workgroup: few make the most of it. */
const softwareThreads = 8;
const softwareGroups = 32;

export async function isosurfacePipelines({ pipelines, adapter }: GpuContext): Promise<Pipelines> {
  const constants = adapter.isSoftware ? { threads: softwareThreads } : undefined;
  const [reset, next, ranges, select, mark, vertices, triangles] = await Promise.all([
    pipelines.get(shaders.reset),
    pipelines.get(shaders.next),
    pipelines.get(shaders.ranges),
    pipelines.get(shaders.select),
    pipelines.get({ ...shaders.mark, constants }),
    pipelines.get({ ...shaders.vertices, constants }),
    pipelines.get({ ...shaders.triangles, constants }),
  ]);
  const groups = (blocks: number) =>
    adapter.isSoftware ? softwareGroups : Math.min(mostGroups, Math.ceil(blocks / blocksPerGroup));
  return { reset, next, ranges, select, mark, vertices, triangles, groups };
}

/** The bind group of a stage. */
export function bind(
  { device }: GpuContext,
  pipelines: Pipelines,
  stage: Stage,
  buffers: Bindings,
): GPUBindGroup {
  return device.createBindGroup({
    label: `isosurface: ${stage}`,
    layout: pipelines[stage].getBindGroupLayout(0),
    entries: bindingEntries(buffers),
  });
}
