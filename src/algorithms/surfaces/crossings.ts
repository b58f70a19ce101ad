import { all, around, type ConstantValues, own } from "../../core/primitives/access.ts";
import { defineKernel } from "../../core/primitives/kernel.ts";
import { gridConstants, indicesOf, pointAt } from "./surface-grid.ts";

const sliceOf = ({ slice }: ConstantValues): number => Number(slice);

const edgeOf = `
struct Edge { level: u32, axis: u32, high: u32 }
fn edge_of(edge: u32, node: u32) -> Edge {
  let level = edge / (3u * constants.slice * constants.dims.z);
  let axis = edge - 3u * (node + level * constants.slice * constants.dims.z);
  return Edge(level, axis, node + vec3u(1u, constants.row, constants.slice)[axis]);
}
`;

/** Derivatives along axes at a node: central, one-sided at the border and beside values that are not finite; and unit vectors. */
const gradientText = `${indicesOf}${pointAt}fn derivative(node: u32, stride: u32, i: u32, n: u32, axis: u32) -> f32 {
  let here = vec2f(values(node), coordinates(axis + i));
  var low = here;
  var high = here;
  if (i > 0u) { low = vec2f(values(node - stride), coordinates(axis + i - 1u)); }
  if (i + 1u < n) { high = vec2f(values(node + stride), coordinates(axis + i + 1u)); }
  if (!isFinite(low.x)) { low = here; }
  if (!isFinite(high.x)) { high = here; }
  return select((high.x - low.x) / (high.y - low.y), 0.0, high.y == low.y);
}
fn gradient(node: u32, indices: vec3u) -> vec3f {
  let dims = constants.dims;
  return vec3f(
    derivative(node, 1u, indices.x, dims.x, 0u),
    derivative(node, constants.row, indices.y, dims.y, dims.x),
    derivative(node, constants.slice, indices.z, dims.z, dims.x + dims.y),
  );
}
fn direction(v: vec3f, otherwise: vec3f) -> vec3f {
  let largest = max(abs(v.x), max(abs(v.y), abs(v.z)));
  if (!(largest > 0.0) | !isFinite(largest)) { return otherwise; }
  return normalize(v / largest);
}`;

/**
 * Where vertices lie on their edges, at the edges' lower nodes: the share of the way to the upper node, position and
 * normal. Everything is made in the edge's own direction, so that all who share it agree to the bit. The normal points
 * against the gradient, to lower values: of central differences, one-sided at the border and beside values that are not
 * finite; along the edge where the gradient is zero.
 */
export const cross = defineKernel({
  name: "cross edges",
  inputs: {
    edges: { type: "u32", access: own },
    /** From an edge's lower node, the neighbours of both its ends. */
    values: { type: "f32", access: around(sliceOf, (constants) => 2 * sliceOf(constants)) },
    coordinates: { type: "f32", access: all },
    isovalues: { type: "f32", components: 2, access: all },
  },
  constants: gridConstants,
  outputs: {
    shares: { type: "f32" },
    positions: { type: "f32", components: 3 },
    normals: { type: "f32", components: 3 },
  },
  text: `
    let edge = edge_of(edges(), element);
    let indices = indices_of(element);
    let ahead = vec3u(vec3u(edge.axis) == vec3u(0u, 1u, 2u));
    let f0 = values(element);
    let f1 = values(edge.high);
    let isovalue = isovalues(edge.level);
    let t = clamp(((isovalue.x - f0) + isovalue.y) / (f1 - f0), 0.0, 1.0);
    let low = point(indices);
    let g0 = gradient(element, indices);
    let g1 = gradient(edge.high, indices + ahead);
    out.shares = t;
    out.positions = low + t * (point(indices + ahead) - low);
    out.normals = direction(t * (g0 - g1) - g0, vec3f(ahead) * sign(f0 - f1));`,
  functions: edgeOf + gradientText,
});

/** A field of so many components on its way along edges, at their lower nodes. */
const interpolationOf = (components: 1 | 2 | 3 | 4) =>
  defineKernel({
    name: `interpolate ${components}`,
    inputs: {
      edges: { type: "u32", access: own },
      shares: { type: "f32", access: own },
      field: { type: "f32", components, access: around(0, sliceOf) },
    },
    constants: gridConstants,
    outputs: { results: { type: "f32", components } },
    text: `
      let low = field(element);
      out.results = low + shares() * (field(edge_of(edges(), element).high) - low);`,
    functions: edgeOf,
  });

/** By the field's components. */
export const interpolations = [1, 2, 3, 4].map((components) => interpolationOf(components as 1 | 2 | 3 | 4));
