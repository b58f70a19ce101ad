import { floorF32 } from "../../../core/floor-f32.ts";
import { openCellTable } from "../../../core/marching-cubes/trilinear/open-cell-table.ts";
import { maxInner } from "../../../core/marching-cubes/trilinear/patch.ts";
import type { Primitives } from "../../../core/primitives/primitives.ts";
import type { Vector } from "../../../core/primitives/vector.ts";
import type { Vectors } from "../../kd-tree/vectors.ts";
import { runLength } from "../cases.ts";
import { enumerate } from "../enumerate.ts";
import { holdAll } from "../surface.ts";
import type { SurfaceGrid } from "../surface-grid.ts";
import { weld } from "../weld.ts";
import { classify, decide, locate } from "./cells.ts";
import { interpolations, place, spread } from "./places.ts";

/** Ids of vertices for each node: edges, and places inside the cell that begins there. */
export const idsPerNode = 3 + maxInner;

/** What is contoured, and how its vertices come out. */
export interface ContourRequest {
  readonly isovalue: number;
  readonly fields: readonly Vector<"f32">[];
  readonly isWelded: boolean;
}

/**
 * The surface of one isovalue with the trilinear interpolant's topology, in vectors that `vectors` holds: each cell's patch is
 * decided, then cells are taken as those of the table are.
 */
export async function exactContour(
  p: Primitives,
  vectors: Vectors,
  { constants, coordinates }: SurfaceGrid,
  values: Vector<"f32">,
  { isovalue, fields, isWelded }: ContourRequest,
) {
  const rounded = floorF32(isovalue);
  const decided = { ...constants, isovalue: [rounded, isovalue - rounded] };
  const cases = await vectors.hold(p.fromHost("u32", openCellTable()));
  const runs = Math.ceil(values.length / runLength);
  const { patches } = await holdAll(
    vectors,
    p.forEach(runLength * runs, decide, { inputs: { values, cases }, constants: decided }),
  );
  const { vertices } = await holdAll(
    vectors,
    p.forEach(runs, classify, { inputs: { patches, cases }, constants }),
  );
  const { total, elements, firsts } = await enumerate(p, vectors, vertices);
  vectors.drop([vertices]);
  const soup = await holdAll(
    vectors,
    p.forEach(total, locate, { inputs: { patches, cases, firsts }, constants, at: elements }),
  );
  const end = idsPerNode * values.length;
  const welded = isWelded ? await weld(p, vectors, soup.ids, soup.nodes, end) : undefined;
  const { ids, nodes: at } = welded ?? soup;
  const count = ids.length;
  const { places } = await holdAll(
    vectors,
    p.forEach(count, place, { inputs: { ids, values, patches, cases }, constants: decided, at }),
  );
  const { positions, normals } = await holdAll(
    vectors,
    p.forEach(count, spread, { inputs: { ids, places, values, coordinates }, constants, at }),
  );
  const interpolated = [];
  for (const field of fields) {
    const kernel = interpolations[field.components - 1];
    const made = p.forEach(count, kernel, { inputs: { ids, places, field }, constants, at });
    interpolated.push((await holdAll(vectors, made)).results);
  }
  return { cells: soup.cells, ids, indices: welded?.indices, positions, normals, fields: interpolated };
}
