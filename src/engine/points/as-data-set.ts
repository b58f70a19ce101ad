import { type DataSet, makeField } from "../../core/field.ts";
import type { Grid } from "../../core/grid.ts";
import type { PointSet } from "../../core/point-set.ts";

/** What expressions call the points' coordinates, as on a grid. */
const coordinatesName = "coords";

/**
 * A point set's columns and coordinates as fields over a row of as many nodes as there are points, so that expressions name them. The
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
  const isTaken = fields.some((field) => field.name === coordinatesName);
  const coordinates = isTaken ? [] : [makeField(grid, coordinatesName, "node", 3, positions)];
  return { name, grid, fields: [...fields, ...coordinates], notes };
}
