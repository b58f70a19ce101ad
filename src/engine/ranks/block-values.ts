/** Which values of a grid's fields belong to a block of its cells. */
import { type Box, boxDims, mapAxes } from "../../core/box.ts";
import { isEmptyBox } from "../../core/box-values.ts";
import { type Centering, cellDims, type Grid, valueDims } from "../../core/grid.ts";

/** Layers around a rank's block for surfaces: gradients at the nodes of its border read one, and faces of a threshold lie beside one of cells. */
export const surfaceMargin = 1;

/** The box of a grid's nodes, or of the cells between them: of a flat direction one. */
export function valuesBetween({ first, end }: Box, centering: Centering): Box {
  if (centering === "node") return { first, end };
  return { first, end: mapAxes((axis) => Math.max(first[axis] + 1, end[axis] - 1)) };
}

/** The nodes at corners of a box of cells, or the cells themselves, and so many more on all sides, as far as the grid reaches. */
export function valuesAround(grid: Grid, cells: Box, margin: number, centering: Centering = "node"): Box {
  const dims = valueDims(grid, centering);
  const more = centering === "node" ? margin + 1 : margin;
  return {
    first: mapAxes((axis) => Math.max(0, cells.first[axis] - margin)),
    end: mapAxes((axis) => Math.min(dims[axis], cells.end[axis] + more)),
  };
}

/**
 * The values of a box of cells that no other box of a division of the grid has: its cells, or the nodes at their corners without those
 * on upper borders, unless these are the grid's.
 */
export function ownValues(grid: Grid, cells: Box, centering: Centering): Box {
  if (centering === "cell" || isEmptyBox(cells)) return cells;
  const all = cellDims(grid);
  const end = mapAxes((axis) => (cells.end[axis] === all[axis] ? grid.dims[axis] : cells.end[axis]));
  return { first: cells.first, end };
}

/**
 * A box in parts of at most so many elements, or of a row where that is more: layers along z, or rows where a layer has too many.
 * Each is one run of the box's elements, and they follow each other.
 */
export function* partsOfBox({ first, end }: Box, maxElements: number): Iterable<Box> {
  if (isEmptyBox({ first, end })) return;
  const [nx, ny] = boxDims({ first, end });
  const layers = Math.floor(maxElements / (nx * ny));
  const rows = Math.max(1, Math.floor(maxElements / nx));
  for (let z = first[2]; z < end[2]; z += Math.max(1, layers)) {
    const upper = Math.min(end[2], z + Math.max(1, layers));
    for (let y = first[1]; y < end[1]; y += layers > 0 ? ny : rows) {
      const behind = layers > 0 ? end[1] : Math.min(end[1], y + rows);
      yield { first: [first[0], y, z], end: [end[0], behind, upper] };
    }
  }
}
