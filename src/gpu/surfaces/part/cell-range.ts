import { type Box, wholeBox } from "../../../core/box.ts";
import type { Triple } from "../../../core/grid.ts";

/**
 * The cells that a surface is made of, as kernels see them: `parameters` has these members. What a kernel takes off by
 * `first_cell` goes round before the first cell, beyond any number of cells.
 */
export interface CellRangeParameters {
  first_cell: readonly number[];
  /** Of cells along x, y and z. */
  cell_counts: readonly number[];
}

/** All cells of a grid of so many nodes where no box of them is given. In a flat direction there are none. */
export function cellRangeParameters(dims: Triple, cells: Box | undefined): CellRangeParameters {
  const { first, end } = cells ?? wholeBox(dims);
  return { first_cell: first, cell_counts: dims.map((n, axis) => Math.min(end[axis], n - 1) - first[axis]) };
}
