import { interpolate, locateCell } from "./cell-location.ts";
import type { Field } from "./field.ts";
import { type Grid, gridBounds, type Triple } from "./grid.ts";
import type { PointColumn } from "./point-set.ts";
import { rangesOf, type Steps } from "./steps.ts";

/** Values of fields at positions, in double precision; NaN outside the grid. */
export interface Samples {
  /** 1 for positions in the grid, 0 for others. */
  readonly inside: Uint8Array<ArrayBuffer>;
  readonly columns: readonly PointColumn[];
}

/** By this fraction of its length an axis reaches beyond its ends: coordinates that were computed are rounded. */
const slack = 1e-9;

/**
 * Fields of one grid at positions, x, y and z of each: those of nodes by trilinear interpolation, those of cells as their cell has
 * them. A position on a border of cells is in the upper one. Flat directions hold what lies at their one coordinate.
 */
export function* samplingFields(
  grid: Grid,
  fields: readonly Field[],
  positions: Float64Array,
): Steps<Samples> {
  const count = positions.length / 3;
  const inside = new Uint8Array(count);
  const isInside = boxTest(grid);
  const columns = fields.map(({ name, components }) => {
    const data = new Float64Array(components * count).fill(Number.NaN);
    return { name, components, dtype: "f64", data } as const;
  });
  for (const [first, end] of rangesOf(count)) {
    for (let i = first; i < end; i++) {
      const position: Triple = [positions[3 * i], positions[3 * i + 1], positions[3 * i + 2]];
      if (!isInside(position)) continue;
      inside[i] = 1;
      const place = locateCell(grid, position);
      for (const [f, { centering, components, data }] of fields.entries()) {
        for (let c = 0; c < components; c++) {
          const value =
            centering === "cell"
              ? Number(data[place.cellIndex * components + c])
              : interpolate(place, (corner) => Number(data[place.nodes[corner] * components + c]));
          columns[f].data[components * i + c] = value;
        }
      }
    }
    yield;
  }
  return { inside, columns };
}

function boxTest(grid: Grid): (position: Triple) => boolean {
  const bounds = gridBounds(grid);
  const longest = Math.max(...[0, 1, 2].map((axis) => bounds[2 * axis + 1] - bounds[2 * axis]));
  const ends = [0, 1, 2].map((axis) => {
    const [low, high] = [bounds[2 * axis], bounds[2 * axis + 1]];
    const beyond = slack * (high - low || longest);
    return [low - beyond, high + beyond];
  });
  return (position) => ends.every(([low, high], axis) => position[axis] >= low && position[axis] <= high);
}
