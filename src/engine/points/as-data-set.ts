import { type DataSet, makeField } from "../../core/field.ts";
import type { Grid } from "../../core/grid.ts";
import type { PointSet } from "../../core/point-set.ts";

/**
 * A point set's columns as fields over a row of as many nodes as there are points, so that expressions name them. The
 * row says nothing of where the points are.
 */
export function asDataSet({ name, positions, columns, notes }: PointSet): DataSet {
  const grid: Grid = {
    kind: "uniform",
    dims: [positions.length / 3, 1, 1],
    origin: [0, 0, 0],
    spacing: [1, 1, 1],
  };
  const fields = columns.map((column) =>
    makeField(grid, column.name, "node", column.components, column.data),
  );
  return { name, grid, fields, notes };
}
