/** The blocks that a rank cuts its own into where its device cannot bind it whole. */
import { type Box, boxCount, boxDims } from "../../core/box.ts";
import { isEmptyBox } from "../../core/box-values.ts";
import type { Grid } from "../../core/grid.ts";
import { valuesAround } from "./block-values.ts";

/**
 * A box of cells in blocks that have at most so many nodes each, with so many layers around them: in layers along z, as few as
 * possible; in halves along y, then x, where a layer alone has too many. A single cell is not cut further.
 */
export function subBlocks(grid: Grid, cells: Box, margin: number, maxNodes: number): readonly Box[] {
  if (isEmptyBox(cells)) return [];
  const nodes = valuesAround(grid, cells, margin);
  if (boxCount(nodes) <= maxNodes) return [cells];
  const [nx, ny] = boxDims(nodes);
  const mostLayers = Math.floor(maxNodes / (nx * ny)) - 1 - 2 * margin;
  const layers = cells.end[2] - cells.first[2];
  if (mostLayers >= 1 && layers > 1) return inLayers(cells, Math.ceil(layers / mostLayers));
  const axis = [1, 0, 2].find((each) => cells.end[each] - cells.first[each] > 1);
  if (axis === undefined) return [cells];
  return halvesAlong(cells, axis).flatMap((half) => subBlocks(grid, half, margin, maxNodes));
}

/** Two halves of a box of cells along the axis on which it has most; undefined for a single cell. */
export function halvesOf(cells: Box): readonly [Box, Box] | undefined {
  const dims = boxDims(cells);
  const axis = dims.lastIndexOf(Math.max(...dims));
  return dims[axis] > 1 ? halvesAlong(cells, axis) : undefined;
}

function inLayers({ first, end }: Box, count: number): readonly Box[] {
  const start = (k: number) => first[2] + Math.floor((k * (end[2] - first[2])) / count);
  return Array.from({ length: count }, (_, k) => ({
    first: [first[0], first[1], start(k)],
    end: [end[0], end[1], start(k + 1)],
  }));
}

function halvesAlong({ first, end }: Box, axis: number): readonly [Box, Box] {
  const middle = Math.floor((first[axis] + end[axis]) / 2);
  const at = (place: Box["first"]): Box["first"] => [
    axis === 0 ? middle : place[0],
    axis === 1 ? middle : place[1],
    axis === 2 ? middle : place[2],
  ];
  return [
    { first, end: at(end) },
    { first: at(first), end },
  ];
}
