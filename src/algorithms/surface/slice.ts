import { nodeCoordinates } from "../../core/grid.ts";
import { type ConstantValues, defineKernel } from "../../core/primitives/kernel.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import type { Vector } from "../../core/primitives/vector.ts";
import { checkSlice, type SliceRequest, slicePlace } from "../../core/slice-place.ts";
import { type Vectors, withVectors } from "../kd-tree/vectors.ts";
import type { IsosurfaceRequest } from "./isosurface.ts";
import { handOut, holdAll, type Surface } from "./surface.ts";
import {
  checkNodes,
  type GridConstants,
  gridConstants,
  indicesOf,
  type SurfaceGrid,
} from "./surface-grid.ts";

/** Axes u and v follow the slice's own, so that u × v points along it. Vertices and cells are numbered u first. */
const constants = {
  ...gridConstants,
  axis: { type: "u32" },
  /** Nodes along u and v, and from one to the next. */
  extents: { type: "u32", components: 2 },
  strides: { type: "u32", components: 2 },
  /** The node that the slice begins at, and how far its plane is from that of the nodes: a share, and a coordinate. */
  first: { type: "u32" },
  t: { type: "f32" },
  position: { type: "f32" },
} as const;

interface SliceConstants extends GridConstants, ConstantValues {
  readonly axis: number;
  readonly extents: readonly number[];
  readonly strides: readonly number[];
  readonly first: number;
  readonly t: number;
  readonly position: number;
}

/** The node before each vertex, and the grid edge that the vertex lies on: 3 · node + axis. */
const number = defineKernel({
  name: "number a slice",
  inputs: {},
  constants,
  outputs: { nodes: { type: "u32" }, ids: { type: "u32" } },
  js({ constants: { axis, extents, strides, first }, outputs: { nodes, ids } }) {
    return (vertex, place) => {
      const v = Math.floor(vertex / extents[0]);
      nodes[place] = first + (vertex - v * extents[0]) * strides[0] + v * strides[1];
      ids[place] = 3 * nodes[place] + axis;
    };
  },
  wgsl: `
    let v = element / constants.extents.x;
    out.nodes = constants.first + (element - v * constants.extents.x) * constants.strides.x + v * constants.strides.y;
    out.ids = 3u * out.nodes + constants.axis;`,
});

/** The vertices of two triangles for each cell, counter-clockwise seen from higher coordinates. */
const split = defineKernel({
  name: "split a slice",
  inputs: {},
  constants,
  outputs: { indices: { type: "u32" } },
  js({ constants: { extents }, outputs: { indices } }) {
    const cells = extents[0] - 1;
    return (corner, place) => {
      const cell = Math.floor(corner / 6);
      const vertex = cell + Math.floor(cell / cells);
      indices[place] = vertex + [0, 1, 1 + extents[0], 0, 1 + extents[0], extents[0]][corner % 6];
    };
  },
  wgsl: `
    let cell = element / 6u;
    let next = constants.extents.x;
    let vertex = cell + cell / (next - 1u);
    out.indices = vertex + array<u32, 6>(0u, 1u, 1u + next, 0u, 1u + next, next)[element % 6u];`,
});

const place = defineKernel({
  name: "place a slice",
  inputs: { coordinates: { type: "f32", reach: "all" } },
  constants,
  outputs: { positions: { type: "f32", components: 3 }, normals: { type: "f32", components: 3 } },
  js({ inputs: { coordinates }, constants: { dims, row, axis, position }, outputs: { positions, normals } }) {
    const [nx, ny] = dims;
    return (node, vertex) => {
      const rows = Math.floor(node / row);
      positions[3 * vertex] = coordinates[node % row];
      positions[3 * vertex + 1] = coordinates[nx + (rows % ny)];
      positions[3 * vertex + 2] = coordinates[nx + ny + Math.floor(rows / ny)];
      positions[3 * vertex + axis] = position;
      normals[3 * vertex + axis] = 1;
    };
  },
  wgsl: `
    let at = indices_of(element);
    let dims = constants.dims;
    let low = vec3f(coordinates(at.x), coordinates(dims.x + at.y), coordinates(dims.x + dims.y + at.z));
    let is_along = vec3u(constants.axis) == vec3u(0u, 1u, 2u);
    out.positions = select(low, vec3f(constants.position), is_along);
    out.normals = vec3f(is_along);`,
  wgslFunctions: indicesOf,
});

/** Between the nodes of a plane and the next one. */
const betweenOf = (components: 1 | 2 | 3 | 4) =>
  defineKernel({
    name: `between nodes ${components}`,
    inputs: { field: { type: "f32", components, reach: ({ slice }) => [0, Number(slice)] } },
    constants,
    outputs: { results: { type: "f32", components } },
    js({ inputs: { field }, constants: { row, slice, axis, t }, outputs: { results } }) {
      const stride = [1, row, slice][axis];
      return (node, place) => {
        for (let c = 0; c < components; c++) {
          const low = field[node * components + c];
          results[place * components + c] = low + t * (field[(node + stride) * components + c] - low);
        }
      };
    },
    wgsl: `
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
  { fields = [], isWelded = false }: Pick<IsosurfaceRequest, "fields" | "isWelded"> = {},
): Promise<Surface> {
  checkSlice(request);
  checkNodes("A slice", grid, fields);
  const at = sliceConstants(grid, request);
  const [nu, nv] = at.extents;
  const cells = (nu - 1) * (nv - 1);
  return withVectors(async (vectors) => {
    const numbered = p.forEach(cells === 0 ? 0 : nu * nv, number, { inputs: {}, constants: at });
    const { nodes, ids } = await holdAll(vectors, numbered);
    const splitted = p.forEach(6 * cells, split, { inputs: {}, constants: at });
    const { indices } = await holdAll(vectors, splitted);
    const edges = isWelded ? ids : await vectors.hold(p.gather(indices, ids));
    const starts = isWelded ? nodes : p.permuted(nodes, indices);
    const placed = p.forEach(starts.length, place, {
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

/** No cells where the slice misses the grid, or that is flat along u or v. */
function sliceConstants(
  { grid, center, constants: whole }: SurfaceGrid,
  { axis, position }: SliceRequest,
): SliceConstants {
  const strides = [1, whole.row, whole.slice];
  const others = [(axis + 1) % 3, (axis + 2) % 3];
  const found = slicePlace(nodeCoordinates(grid, axis), position);
  const extents = others.map((d) => grid.dims[d]);
  return {
    ...whole,
    axis,
    extents: found && extents.every((n) => n > 1) ? extents : [1, 1],
    strides: others.map((d) => strides[d]),
    first: (found?.index ?? 0) * strides[axis],
    t: found?.t ?? 0,
    position: position - center[axis],
  };
}
