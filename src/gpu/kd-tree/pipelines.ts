import type { GpuContext } from "../device/context.ts";
import { divideAlone } from "./kernels/divide-alone.ts";
import { countLeft, divideList, markSides, placeNodes } from "./kernels/level.ts";
import { addWords, beginLists, takeColumn, takeColumns, takePoints } from "./kernels/prepare.ts";
import type { BuildShape } from "./shape.ts";

/** The kernels of a build, by their entry points. */
export type BuildPipelines = Awaited<ReturnType<typeof buildPipelines>>;

export async function buildPipelines(gpu: GpuContext, shape: BuildShape) {
  const compile = (code: string, entryPoint: string) =>
    gpu.pipelines.get({ label: `KD-tree: ${entryPoint}`, code, entryPoint });
  const { dimensions } = shape;
  const [column, ordered, columns, points, add, begin, place, mark, count, divide, alone] = await Promise.all(
    [
      compile(takeColumn(dimensions, false), "take_column"),
      compile(takeColumn(dimensions, true), "take_column"),
      compile(takeColumns, "take_columns"),
      compile(takePoints(dimensions), "take_points"),
      compile(addWords, "add_words"),
      compile(beginLists, "begin_lists"),
      compile(placeNodes(shape), "place_nodes"),
      compile(markSides(shape), "mark_sides"),
      compile(countLeft(shape), "count_left"),
      compile(divideList, "divide_list"),
      compile(divideAlone(shape), "divide_alone"),
    ],
  );
  return {
    takeColumn: column,
    takeOrdered: ordered,
    takeColumns: columns,
    takePoints: points,
    addWords: add,
    beginLists: begin,
    placeNodes: place,
    markSides: mark,
    countLeft: count,
    divideList: divide,
    divideAlone: alone,
  };
}
