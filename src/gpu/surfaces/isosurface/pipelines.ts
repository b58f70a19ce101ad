import type { GpuContext } from "../../device/context.ts";
import { blockRangesShader } from "../blocks/block-ranges.ts";
import { type Bindings, bindingEntries } from "../kernel.ts";
import { packTriangles } from "../triangle-table.ts";
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

/** `decide` and `inner` are those of the exact topology alone. */
export type Stage = keyof typeof shaders | "decide" | "inner";

export interface Pipelines {
  readonly stages: Readonly<Record<keyof typeof shaders, GPUComputePipeline>> &
    Readonly<Partial<Record<Stage, GPUComputePipeline>>>;
  /** The triangles of each case. */
  readonly cases: Uint32Array<ArrayBuffer>;
  /** Workgroups that share the selected blocks, the vertices or the triangles of a grid of so many blocks. */
  groups(blocks: number): number;
}

/** Several times what an H100 runs at once; on small grids the start of idle ones takes longer than the work. */
const mostGroups = 4096;
const blocksPerGroup = 16;

/** Software adapters clear workgroup memory once for every four threads of a workgroup: few make the most of it. */
const softwareThreads = 8;
const softwareGroups = 32;

export async function isosurfacePipelines(
  { pipelines, adapter }: GpuContext,
  isExact: boolean,
): Promise<Pipelines> {
  const constants = adapter.isSoftware ? { threads: softwareThreads } : undefined;
  const ofCases = isExact ? { ...constants, is_exact: 1 } : constants;
  const exact = isExact ? await import("./trilinear/open-cells.ts") : undefined;
  const [reset, next, ranges, select, mark, vertices, triangles, decide, inner] = await Promise.all([
    pipelines.get(shaders.reset),
    pipelines.get(shaders.next),
    pipelines.get(shaders.ranges),
    pipelines.get(shaders.select),
    pipelines.get({ ...shaders.mark, constants: ofCases }),
    pipelines.get({ ...shaders.vertices, constants }),
    pipelines.get({ ...shaders.triangles, constants: ofCases }),
    exact && pipelines.get({ ...exact.decideCellsShader, constants }),
    exact && pipelines.get({ ...exact.emitInnerShader, constants }),
  ]);
  const groups = (blocks: number) =>
    adapter.isSoftware ? softwareGroups : Math.min(mostGroups, Math.ceil(blocks / blocksPerGroup));
  return {
    stages: { reset, next, ranges, select, mark, vertices, triangles, decide, inner },
    cases: exact ? exact.openCellTable() : packTriangles(),
    groups,
  };
}

/** The bind group of a stage, where there is one. */
export function bind(
  { device }: GpuContext,
  pipelines: Pipelines,
  stage: Stage,
  buffers: Bindings,
): GPUBindGroup | undefined {
  const pipeline = pipelines.stages[stage];
  return (
    pipeline &&
    device.createBindGroup({
      label: `isosurface: ${stage}`,
      layout: pipeline.getBindGroupLayout(0),
      entries: bindingEntries(buffers),
    })
  );
}
