import { CrinkleError } from "../../core/errors.ts";
import { requireIsovalue } from "../../core/marching-cubes/preconditions.ts";
import { badArgument } from "../../core/primitives/checks.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import type { Vector } from "../../core/primitives/vector.ts";
import { type Vectors, withVectors } from "../vectors.ts";
import { classify, isovalueWords, locate, runLength } from "./cases.ts";
import { cellsOf } from "./cells.ts";
import { cross, interpolations } from "./crossings.ts";
import { enumerate } from "./enumerate.ts";
import { facetNormals } from "./facets.ts";
import { handOut, holdAll, type Surface } from "./surface.ts";
import { checkNodes, type SurfaceGrid } from "./surface-grid.ts";
import { weld } from "./weld.ts";

export interface IsosurfaceRequest {
  /** One or several, all finite; the surfaces are one after the other within each cell. */
  readonly isovalues: readonly number[];
  /** Node-centred fields of the grid, of 1 to 4 components, to be interpolated on the surface. */
  readonly fields?: readonly Vector<"f32">[];
  /** One vertex for each grid edge; else three for each triangle. */
  readonly isWelded?: boolean;
  /** The facets' normals instead of the gradient's: not of welded surfaces. */
  readonly isFlat?: boolean;
  /** Whether the triangles' cells are asked for. */
  readonly hasCells?: boolean;
}

/**
 * The isosurface of a node-centred field on a grid, composed of primitives (seed 000, Listing 2): cells are classified,
 * their vertices enumerated, the cell of each found by search, then vertices made one by one. What is above, which
 * cells are left out, and where vertices lie on their edges is as in `isosurface` over a loop. Throws BadArgument,
 * TooLarge.
 */
export async function composedIsosurface(
  p: Primitives,
  grid: SurfaceGrid,
  values: Vector<"f32">,
  request: IsosurfaceRequest,
): Promise<Surface> {
  const end = check(grid, values, request);
  const { isovalues, fields = [], isWelded = false, isFlat = false, hasCells = false } = request;
  return withVectors(async (vectors) => {
    const made = await contour(p, vectors, grid, values, { isovalues, fields, isWelded, end });
    const { cells, positions, normals } = made;
    return handOut(vectors, {
      ...made,
      normals: isFlat ? await facetNormals(p, vectors, positions, normals) : normals,
      cells: hasCells ? await cellsOf(p, vectors, grid, cells) : undefined,
    });
  });
}

interface ContourRequest extends Required<Pick<IsosurfaceRequest, "isovalues" | "fields" | "isWelded">> {
  /** Beyond all ids. */
  readonly end: number;
}

async function contour(
  p: Primitives,
  vectors: Vectors,
  grid: SurfaceGrid,
  values: Vector<"f32">,
  { isovalues: numbers, fields, isWelded, end }: ContourRequest,
) {
  const isovalues = await vectors.hold(p.fromHost("f32", isovalueWords(numbers), 2));
  const { cases } = grid;
  const constants = { ...grid.constants, levels: numbers.length };

  const { vertices } = await p.forEach(Math.ceil(values.length / runLength), classify, {
    inputs: { values, isovalues, cases },
    constants,
  });
  await vectors.hold(vertices);
  // No cell begins at the last node.
  const enumerated = await enumerate(p, vectors, vertices, { endsEmpty: true });
  const { total, elements, starts, firsts } = enumerated;

  const located = await p.forEach(total, locate, {
    inputs: { values, firsts, isovalues, cases },
    constants,
    at: elements,
  });
  const soup = await holdAll(vectors, located);
  vectors.drop([starts, elements]);
  const welded = isWelded ? await weld(p, vectors, soup.ids, soup.nodes, end) : undefined;
  const { ids, nodes } = welded ?? soup;

  const crossed = await p.forEach(ids.length, cross, {
    inputs: { edges: ids, values, coordinates: grid.coordinates, isovalues },
    constants: grid.constants,
    at: nodes,
  });
  const { shares, positions, normals } = await holdAll(vectors, crossed);
  const interpolated = [];
  for (const field of fields) {
    const { results } = await p.forEach(ids.length, interpolations[field.components - 1], {
      inputs: { edges: ids, shares, field },
      constants: grid.constants,
      at: nodes,
    });
    interpolated.push(await vectors.hold(results));
  }
  return { cells: soup.cells, ids, indices: welded?.indices, positions, normals, fields: interpolated };
}

/** Checks what is asked for, and says how many ids there are. */
function check(
  grid: SurfaceGrid,
  values: Vector<"f32">,
  { isovalues, fields = [], isWelded = false, isFlat = false }: IsosurfaceRequest,
): number {
  for (const isovalue of isovalues) requireIsovalue(isovalue);
  const nodes = checkNodes("An isosurface", grid, [values, ...fields]);
  if (isWelded && isFlat) {
    throw badArgument(
      "A welded isosurface was asked for with the facets' normals.",
      "Facets share no vertices: leave one of the two out.",
    );
  }
  const ids = 3 * nodes * isovalues.length;
  if (ids < 2 ** 32) return ids;
  throw new CrinkleError({
    tag: "TooLarge",
    problem: `${isovalues.length} isovalues on ${nodes} nodes allow more than 2³² vertices.`,
    remedy: "Use fewer isovalues at a time, or a part of the grid.",
  });
}
