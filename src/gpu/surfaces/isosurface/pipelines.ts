import { compileKernels, type Pipelines } from "../../compute/compile.ts";
import type { GpuContext } from "../../device/context.ts";
import { blockRangesShader } from "../blocks/block-ranges.ts";
import { emitShader } from "../emit-groups.ts";
import { packTriangles } from "../triangle-table.ts";
import { emitTrianglesShader } from "./kernels/emit-triangles.ts";
import { emitVerticesShader } from "./kernels/emit-vertices.ts";
import { markEdgesShader } from "./kernels/mark-edges.ts";
import { nextShader, resetShader, selectBlocksShader } from "./kernels/select-blocks.ts";

export interface IsosurfacePipelines {
  readonly all: Pipelines<"reset" | "next" | "ranges" | "select" | "mark" | "vertices" | "triangles">;
  /** Those that the trilinear topology has besides. */
  readonly trilinear: Pipelines<"decide" | "inner"> | undefined;
  /** The triangles of each case. */
  readonly cases: Uint32Array<ArrayBuffer>;
}

export async function isosurfacePipelines(
  gpu: GpuContext,
  isTrilinear: boolean,
  isPart: boolean,
): Promise<IsosurfacePipelines> {
  const constants = isTrilinear ? { is_exact: 1 } : undefined;
  const mark = isPart ? (await import("../part/part-of-cells.ts")).markPartShader : markEdgesShader();
  const ambiguousCells = isTrilinear ? await import("./trilinear/ambiguous-cells.ts") : undefined;
  const [all, trilinear] = await Promise.all([
    compileKernels(gpu, {
      reset: resetShader,
      next: nextShader,
      ranges: blockRangesShader,
      select: selectBlocksShader,
      mark: emitShader(gpu, { ...mark, constants }),
      vertices: emitShader(gpu, emitVerticesShader),
      triangles: emitShader(gpu, { ...emitTrianglesShader, constants }),
    }),
    ambiguousCells &&
      compileKernels(gpu, {
        decide: emitShader(gpu, ambiguousCells.disambiguateCellsShader),
        inner: emitShader(gpu, ambiguousCells.emitInnerShader),
      }),
  ]);
  return { all, trilinear, cases: ambiguousCells ? ambiguousCells.ambiguousCellTable() : packTriangles() };
}
