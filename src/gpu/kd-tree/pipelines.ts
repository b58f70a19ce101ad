import { compileKernels } from "../compute/compile.ts";
import type { GpuContext } from "../device/context.ts";
import { divideAlone } from "./kernels/divide-alone.ts";
import { countLeft, divideList, markSides, placeNodes } from "./kernels/level.ts";
import { addWords, beginLists, takeColumn, takeColumns, takePoints } from "./kernels/prepare.ts";
import type { BuildShape } from "./shape.ts";

/** The kernels of a build. */
export type BuildPipelines = Awaited<ReturnType<typeof buildPipelines>>;

export function buildPipelines(gpu: GpuContext, shape: BuildShape) {
  const shader = (code: string, entryPoint: string) => ({
    label: `KD-tree: ${entryPoint}`,
    code,
    entryPoint,
  });
  const { dimensions } = shape;
  return compileKernels(gpu, {
    takeColumn: shader(takeColumn(dimensions, false), "take_column"),
    takeOrdered: shader(takeColumn(dimensions, true), "take_column"),
    takeColumns: shader(takeColumns, "take_columns"),
    takePoints: shader(takePoints(dimensions), "take_points"),
    addWords: shader(addWords, "add_words"),
    beginLists: shader(beginLists, "begin_lists"),
    placeNodes: shader(placeNodes(shape), "place_nodes"),
    markSides: shader(markSides(shape), "mark_sides"),
    countLeft: shader(countLeft(shape), "count_left"),
    divideList: shader(divideList, "divide_list"),
    divideAlone: shader(divideAlone(shape), "divide_alone"),
  });
}
