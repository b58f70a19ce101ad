import { type Box, boxDims, mapAxes } from "./box.ts";
import { type Grid, gridPart, nodeCoordinates } from "./grid.ts";

/** The grid of a box of nodes, which knows where it lies in the whole. */
export function subgrid(grid: Grid, nodes: Box): Grid {
  const dims = boxDims(nodes);
  const { first, ...whole } = gridPart(grid);
  const part = { ...whole, first: mapAxes((axis) => first[axis] + nodes.first[axis]) };
  const along = (axis: number) => nodeCoordinates(grid, axis).subarray(nodes.first[axis], nodes.end[axis]);
  if (grid.kind === "rectilinear")
    return { kind: "rectilinear", dims, axes: [along(0), along(1), along(2)], part };
  return { kind: "uniform", dims, origin: mapAxes((axis) => along(axis)[0]), spacing: grid.spacing, part };
}
