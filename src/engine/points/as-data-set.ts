import { type DataSet, makeField } from "../../core/field.ts";
import type { Grid } from "../../core/grid.ts";
import type { PointSet } from "../../core/point-set.ts";

/** The name of the points' coordinates in expressions, as on a grid. */
const coordinatesName = "coords";

/**
 * A point set's columns and coordinates as fields on a row of nodes, one per point, so that expressions can use them.
 * The row does not tell where the points are.
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
  const isTaken = fields.some((field) => field.name === coordinatesName);
  const coordinates = isTaken ? [] : [makeField(grid, coordinatesName, "node", 3, positions)];
  return { name, grid, fields: [...fields, ...coordinates], notes };
}
