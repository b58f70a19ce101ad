import { type Box, wholeBox } from "../../core/box.ts";
import { cellDims, nodeCoordinates } from "../../core/grid.ts";
import { all, around, type ConstantValues } from "../../core/primitives/access.ts";
import { defineKernel } from "../../core/primitives/kernel.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import type { Vector } from "../../core/primitives/vector.ts";
import { checkSlice, isSliceOf, type SliceRequest, slicePlace } from "../../core/slice-place.ts";
import { type Vectors, withVectors } from "../vectors.ts";
import type { IsosurfaceRequest } from "./isosurface.ts";
import { handOut, holdAll, type Surface } from "./surface.ts";
import {
  checkNodes,
  type GridConstants,
  gridConstants,
  indicesOf,
  pointAt,
  type SurfaceGrid,
} from "./surface-grid.ts";

/** Vertices and cells are numbered along the lower one of the other axes first, so that ids ascend. */
const constants = {
  ...gridConstants,
  axis: { type: "u32" },
  /** Vertices along the other axes, and nodes from one to the next. */
  extents: { type: "u32", components: 2 },
  strides: { type: "u32", components: 2 },
  /** From a vertex to the next ones along u and v, the axes that follow the slice's own: u × v points along it. */
  steps: { type: "u32", components: 2 },
  /** The node that the slice begins at, and how far its plane is from that of the nodes: a share, and a coordinate. */
  first: { type: "u32" },
  t: { type: "f32" },
  position: { type: "f32" },
} as const;

interface SliceConstants extends GridConstants, ConstantValues {
  readonly axis: number;
  readonly extents: readonly number[];
  readonly strides: readonly number[];
  readonly steps: readonly number[];
  readonly first: number;
  readonly t: number;
  readonly position: number;
}

interface SliceOptions extends Pick<IsosurfaceRequest, "fields" | "isWelded"> {
  /** The box of the grid's cells that is sliced; all of them where it is left out. */
  readonly cells?: Box;
}

/** The node before each vertex, and the grid edge that the vertex lies on: 3 · node + axis. */
const numberVertices = defineKernel({
  name: "number a slice",
  inputs: {},
  constants,
  outputs: { nodes: { type: "u32" }, ids: { type: "u32" } },
  text: `
    let row = element / constants.extents.x;
    let column = element - row * constants.extents.x;
    let node = constants.first + column * constants.strides.x + row * constants.strides.y;
    out.nodes = node;
    out.ids = 3u * node + constants.axis;`,
});

/** The vertices of two triangles for each cell, counter-clockwise seen from higher coordinates. */
const splitCells = defineKernel({
  name: "split a slice",
  inputs: {},
  constants,
  outputs: { indices: { type: "u32" } },
  text: `
    let cell = element / 6u;
    let u = constants.steps.x;
    let v = constants.steps.y;
    let corner = array<u32, 6>(0u, u, u + v, 0u, u + v, v)[element % 6u];
    out.indices = cell + cell / (constants.extents.x - 1u) + corner;`,
});

const placeVertices = defineKernel({
  name: "place a slice",
  inputs: { coordinates: { type: "f32", access: all } },
  constants,
  outputs: { positions: { type: "f32", components: 3 }, normals: { type: "f32", components: 3 } },
  text: `
    let is_along = vec3u(constants.axis) == vec3u(0u, 1u, 2u);
    out.positions = select(point(indices_of(element)), vec3f(constants.position), is_along);
    out.normals = vec3f(is_along);`,
  functions: indicesOf + pointAt,
});

/** Between the nodes of a plane and the next one. */
const betweenOf = (components: 1 | 2 | 3 | 4) =>
  defineKernel({
    name: `between nodes ${components}`,
    inputs: { field: { type: "f32", components, access: around(0, ({ slice }) => Number(slice)) } },
    constants,
    outputs: { results: { type: "f32", components } },
    text: `
      let low = field(element);
      let stride = vec3u(1u, constants.row, constants.slice)[constants.axis];
      out.results = low + constants.t * (field(element + stride) - low);`,
  });

const between = [1, 2, 3, 4].map((components) => betweenOf(components as 1 | 2 | 3 | 4));

/**
 * The data on a plane across one of the grid's axes: a vertex on each grid line, fields between those of two nodes (a
 * node's own where the plane goes through it), two triangles a cell, facing along the axis. Empty beyond the grid's
 * bounds. Composed of primitives as `composedIsosurface` is. Throws BadArgument.
 */
export async function composedSlice(
  p: Primitives,
  grid: SurfaceGrid,
  request: SliceRequest,
  { fields = [], isWelded = false, cells }: SliceOptions = {},
): Promise<Surface> {
  checkSlice(request);
  checkNodes("A slice", grid, fields);
  const at = sliceConstants(grid, request, cells);
  const [n, m] = at.extents;
  const count = (n - 1) * (m - 1);
  return withVectors(async (vectors) => {
    const numbered = p.forEach(count === 0 ? 0 : n * m, numberVertices, { inputs: {}, constants: at });
    const { nodes, ids } = await holdAll(vectors, numbered);
    const split = p.forEach(6 * count, splitCells, { inputs: {}, constants: at });
    const { indices } = await holdAll(vectors, split);
    const edges = isWelded ? ids : await vectors.hold(p.gather(indices, ids));
    const starts = isWelded ? nodes : p.permuted(nodes, indices);
    const placed = p.forEach(starts.length, placeVertices, {
      inputs: { coordinates: grid.coordinates },
      constants: at,
      at: starts,
    });
    const { positions, normals } = await holdAll(vectors, placed);
    return handOut(vectors, {
      positions,
      normals,
      fields: await Promise.all(fields.map((field) => taken(p, vectors, field, at, starts))),
      ids: edges,
      indices: isWelded ? indices : undefined,
      cells: undefined,
    });
  });
}

/** A field on the slice; a node's own value is taken as it is, whatever the next one's. */
async function taken(
  p: Primitives,
  vectors: Vectors,
  field: Vector<"f32">,
  constants: SliceConstants,
  at: Vector<"u32">,
): Promise<Vector<"f32">> {
  if (constants.t === 0) return vectors.hold(p.gather(at, field));
  const { results } = await p.forEach(at.length, between[field.components - 1], {
    inputs: { field },
    constants,
    at,
  });
  return vectors.hold(results);
}

/** One vertex and no cells where the slice misses the cells, or the grid is flat along another axis. */
function sliceConstants(
  { grid, center, constants: whole }: SurfaceGrid,
  { axis, position }: SliceRequest,
  { first, end }: Box = wholeBox(cellDims(grid)),
): SliceConstants {
  const strides = [1, whole.row, whole.slice];
  const others = [0, 1, 2].filter((d) => d !== axis);
  const found = slicePlace(nodeCoordinates(grid, axis), position);
  const [n, m] = others.map((d) => Math.min(grid.dims[d], end[d] - first[d] + 1));
  const isCut =
    found !== undefined && n > 1 && m > 1 && isSliceOf(found, first[axis], end[axis], grid.dims[axis]);
  const corner = others.reduce((node, d) => node + first[d] * strides[d], 0);
  return {
    ...whole,
    axis,
    extents: isCut ? [n, m] : [1, 1],
    strides: others.map((d) => strides[d]),
    steps: axis === 1 ? [n, 1] : [1, n],
    first: corner + (found?.index ?? 0) * strides[axis],
    t: found?.t ?? 0,
    position: position - center[axis],
  };
}
