import { type DataSet, makeField } from "../../core/field.ts";
import type { Bounds, Grid } from "../../core/grid.ts";
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

export function pointBounds({ positions }: PointSet): Bounds {
  const bounds = [0, 1, 2].flatMap((axis) => {
    let low = Number.POSITIVE_INFINITY;
    let high = Number.NEGATIVE_INFINITY;
    for (let at = axis; at < positions.length; at += 3) {
      low = Math.min(low, positions[at]);
      high = Math.max(high, positions[at]);
    }
    return [low, high];
  });
  return bounds as unknown as Bounds;
}
