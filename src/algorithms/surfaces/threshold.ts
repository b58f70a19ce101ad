import { checkRange, type Range, rangeInF32 } from "../../core/closed-range.ts";
import { CrinkleError } from "../../core/errors.ts";
import { all, around, type ConstantValues, own } from "../../core/primitives/access.ts";
import { defineKernel } from "../../core/primitives/kernel.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import type { Vector } from "../../core/primitives/vector.ts";
import { withVectors } from "../vectors.ts";
import { cellsOf } from "./cells.ts";
import { enumerate } from "./enumerate.ts";
import type { IsosurfaceRequest } from "./isosurface.ts";
import { handOut, holdAll, type Surface } from "./surface.ts";
import {
  checkNodes,
  gridConstants,
  indicesOf,
  lastCorner,
  pointAt,
  type SurfaceGrid,
} from "./surface-grid.ts";
import { weld } from "./weld.ts";

type ThresholdRequest = Pick<IsosurfaceRequest, "fields" | "isWelded" | "hasCells">;

/** Whether all corners of a cell are finite and in the range. */
const classifyCells = defineKernel({
  name: "keep cells",
  inputs: { values: { type: "f32", access: around(0, lastCorner) } },
  constants: { ...gridConstants, range: { type: "f32", components: 2 } },
  outputs: { kept: { type: "u32" } },
  text: `
    if (any(indices_of(element) + 1u >= constants.dims)) { return; }
    out.kept = u32(are_inside(element) & are_inside(element + constants.slice));`,
  functions: `${indicesOf}
fn is_inside(node: u32) -> bool {
  let value = values(node);
  return isFinite(value) & (value >= constants.range.x) & (value <= constants.range.y);
}
fn are_inside(first: u32) -> bool {
  let row = first + constants.row;
  return is_inside(first) & is_inside(first + 1u) & is_inside(row) & is_inside(row + 1u);
}`,
});

const sliceOf = ({ slice }: ConstantValues): number => Number(slice);

/** The faces of a kept cell beside which no cell is kept, as bits, and how many vertices their triangles have. */
const findExposedFaces = defineKernel({
  name: "expose faces",
  inputs: { kept: { type: "u32", access: around(sliceOf, sliceOf) } },
  constants: gridConstants,
  outputs: { faces: { type: "u32" }, vertices: { type: "u32" } },
  text: `
    if (kept(element) == 0u) { return; }
    let faces = exposed(1u, 0u) | exposed(constants.row, 2u) | exposed(constants.slice, 4u);
    out.faces = faces;
    out.vertices = 6u * countOneBits(faces);`,
  functions: `
fn exposed(stride: u32, bit: u32) -> u32 {
  var before = 0u;
  if (element >= stride) { before = kept(element - stride); }
  return ((1u - before) << bit) | ((1u - kept(element + stride)) << (bit + 1u));
}`,
});

/**
 * For each vertex, at its cell: six times its node, and the direction of its face, 2 · axis + (1: towards higher
 * coordinates); and the node. Faces are split from their first corner, and counter-clockwise seen from outside.
 */
const findCorners = defineKernel({
  name: "corners of faces",
  inputs: { faces: { type: "u32", access: around(0, 0) }, firsts: { type: "u32", access: own } },
  constants: gridConstants,
  outputs: { ids: { type: "u32" }, nodes: { type: "u32" } },
  text: `
    let visit = place - firsts();
    var left = faces(element);
    for (var k = visit / 6u; k > 0u; k--) { left &= left - 1u; }
    let direction = firstTrailingBit(left);
    let axis = direction >> 1u;
    let is_high = (direction & 1u) == 1u;
    let corner = array<u32, 6>(0u, 1u, 2u, 0u, 2u, 3u)[visit % 6u];
    let strides = vec3u(1u, constants.row, constants.slice);
    let u = strides[(axis + 1u) % 3u];
    let v = strides[(axis + 2u) % 3u];
    let node = element + select(0u, strides[axis], is_high)
      + select(0u, select(v, u, is_high), (corner == 1u) | (corner == 2u))
      + select(0u, select(u, v, is_high), corner >= 2u);
    out.nodes = node;
    out.ids = 6u * node + direction;`,
});

/** Positions and normals of vertices at nodes. */
const placeCorners = defineKernel({
  name: "place corners",
  inputs: { ids: { type: "u32", access: own }, coordinates: { type: "f32", access: all } },
  constants: gridConstants,
  outputs: { positions: { type: "f32", components: 3 }, normals: { type: "f32", components: 3 } },
  text: `
    let direction = ids() - 6u * element;
    out.positions = point(indices_of(element));
    out.normals = vec3f(vec3u(direction >> 1u) == vec3u(0u, 1u, 2u)) * (2.0 * f32(direction & 1u) - 1.0);`,
  functions: indicesOf + pointAt,
});

/**
 * The outside of the cells whose corners all lie in the closed range: of each kept cell the faces beside which no cell
 * is kept, as two triangles, facing outwards. Cells with a corner that is not finite are not kept. Fields are taken at
 * the nodes. Composed of primitives as `composedIsosurface` is. Throws BadArgument, TooLarge.
 */
export async function composedThreshold(
  p: Primitives,
  grid: SurfaceGrid,
  values: Vector<"f32">,
  range: Range,
  { fields = [], isWelded = false, hasCells = false }: ThresholdRequest = {},
): Promise<Surface> {
  checkRange(range);
  const nodeCount = checkNodes("A threshold", grid, [values, ...fields]);
  if (6 * nodeCount >= 2 ** 32) {
    throw new CrinkleError({
      tag: "TooLarge",
      problem: `A threshold was asked for on ${nodeCount} nodes, which have more faces than 2³².`,
      remedy: "Ask for it on parts of the grid.",
    });
  }
  const { constants } = grid;
  return withVectors(async (vectors) => {
    const { kept } = await p.forEach(nodeCount, classifyCells, {
      inputs: { values },
      constants: { ...constants, range: rangeInF32(range, 0) },
    });
    await vectors.hold(kept);
    const exposed = p.forEach(nodeCount, findExposedFaces, { inputs: { kept }, constants });
    const { faces, vertices } = await holdAll(vectors, exposed);
    vectors.drop([kept]);
    // No cell begins at the last node.
    const enumerated = await enumerate(p, vectors, vertices, { endsEmpty: true });
    const { total, elements, starts, firsts } = enumerated;

    const turned = p.forEach(total, findCorners, { inputs: { faces, firsts }, constants, at: elements });
    const soup = await holdAll(vectors, turned);
    vectors.drop([starts]);
    const welded = isWelded ? await weld(p, vectors, soup.ids, soup.nodes, 6 * nodeCount) : undefined;
    const { ids, nodes } = welded ?? soup;
    const placed = p.forEach(ids.length, placeCorners, {
      inputs: { ids, coordinates: grid.coordinates },
      constants,
      at: nodes,
    });
    const atNodes = [];
    for (const field of fields) atNodes.push(await vectors.hold(p.gather(nodes, field)));
    return handOut(vectors, {
      ...(await holdAll(vectors, placed)),
      fields: atNodes,
      ids,
      indices: welded?.indices,
      cells: hasCells ? await cellsOf(p, vectors, grid, elements) : undefined,
    });
  });
}
