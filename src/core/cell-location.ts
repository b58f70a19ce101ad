import { type Grid, type Triple, valueDims } from "./grid.ts";

/** Where a position lies in a grid: its cell, and the nodes around it with the weights of trilinear interpolation. */
export interface CellLocation {
  readonly cell: Triple;
  /** Number of the cell among values that sit in cells. */
  readonly cellIndex: number;
  /** Numbers of the nodes whose weight is not 0, x fastest: at most 8. */
  readonly nodes: readonly number[];
  readonly weights: readonly number[];
}

/**
 * The place of a position in physical units; positions beyond the grid's bounds are moved to them. `inside` chooses the
 * cell where the position lies on a border of cells.
 */
export function locateCell(grid: Grid, position: Triple, inside: Triple = position): CellLocation {
  const along = [0, 1, 2].map((axis) => {
    const cell = cellAlong(grid, axis, inside[axis]);
    return { cell, t: fractionIn(grid, axis, cell, position[axis]) };
  });
  const [x, y, z] = along;
  const [cellsX, cellsY] = valueDims(grid, "cell");
  const nodes: number[] = [];
  const weights: number[] = [];
  for (let corner = 0; corner < 8; corner++) {
    let node = 0;
    let weight = 1;
    for (let axis = 2; axis >= 0; axis--) {
      const side = (corner >> axis) & 1;
      node = node * grid.dims[axis] + along[axis].cell + side;
      weight *= side ? along[axis].t : 1 - along[axis].t;
    }
    if (weight === 0) continue;
    nodes.push(node);
    weights.push(weight);
  }
  return {
    cell: [x.cell, y.cell, z.cell],
    cellIndex: x.cell + cellsX * (y.cell + cellsY * z.cell),
    nodes,
    weights,
  };
}

/** The weighted sum of the nodes' values. */
export function interpolate({ weights }: CellLocation, value: (corner: number) => number): number {
  return weights.reduce((sum, weight, corner) => sum + weight * value(corner), 0);
}

/** The cell along an axis that holds a position; the first or last one beyond the bounds. */
export function cellAlong(grid: Grid, axis: number, position: number): number {
  const last = Math.max(0, grid.dims[axis] - 2);
  if (grid.kind === "uniform") {
    const cell = Math.floor((position - grid.origin[axis]) / grid.spacing[axis]);
    return Math.min(last, Math.max(0, cell || 0));
  }
  const nodes = grid.axes[axis];
  let low = 0;
  let high = last + 1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (nodes[middle] <= position) low = middle;
    else high = middle;
  }
  return low;
}

/** From 0 at the cell's lower side to 1 at its upper one; 0 in a flat direction. */
export function fractionIn(grid: Grid, axis: number, cell: number, position: number): number {
  if (grid.dims[axis] < 2) return 0;
  const t =
    grid.kind === "uniform"
      ? (position - grid.origin[axis]) / grid.spacing[axis] - cell
      : (position - grid.axes[axis][cell]) / (grid.axes[axis][cell + 1] - grid.axes[axis][cell]);
  return Math.min(1, Math.max(0, t));
}
