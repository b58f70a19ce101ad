import type { DType, TypedArray } from "./dtype.ts";
import type { Bounds } from "./grid.ts";

/** Values at the points of a set: `components` of each point, which are neighbours, in the dtype of their source. */
export interface PointColumn {
  readonly name: string;
  readonly components: number;
  readonly dtype: DType;
  readonly data: TypedArray;
}

/** Points without a grid. `notes` are sentences about what the reader had to decide. */
export interface PointSet {
  readonly name: string;
  /** 2: every z is 0. */
  readonly dimensions: 2 | 3;
  /** x, y and z of each point, in physical units. */
  readonly positions: Float64Array;
  readonly columns: readonly PointColumn[];
  readonly notes: readonly string[];
}

export function isPointSet(data: object): data is PointSet {
  return "positions" in data;
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
