import { type ConstantValues, defineKernel } from "../../core/primitives/kernel.ts";
import { areFinite, gridConstants, indicesOf, pointAt } from "./surface-grid.ts";

/** From an edge's lower node, the neighbours of both its ends. */
const neighboursReach = ({ slice }: ConstantValues): readonly [number, number] => [
  Number(slice),
  2 * Number(slice),
];

const edgeOf = `
struct Edge { level: u32, axis: u32, high: u32 }
fn edge_of(edge: u32, node: u32) -> Edge {
  let level = edge / (3u * constants.slice * constants.dims.z);
  let axis = edge - 3u * (node + level * constants.slice * constants.dims.z);
  return Edge(level, axis, node + vec3u(1u, constants.row, constants.slice)[axis]);
}
`;

interface Lattice {
  readonly dims: readonly number[];
  readonly row: number;
  readonly slice: number;
}

/** Along an axis at a node with index i there: central, one-sided at the border and beside values that are not finite. */
function derivativeOf(
  values: ArrayLike<number>,
  coordinates: ArrayLike<number>,
  { dims, row, slice }: Lattice,
): (node: number, d: number, i: number) => number {
  const strides = [1, row, slice];
  const axes = [0, dims[0], dims[0] + dims[1]];
  return (node, d, i) => {
    const x = axes[d] + i;
    let low = 0;
    let high = 0;
    if (i > 0 && Number.isFinite(values[node - strides[d]])) low = -1;
    if (i + 1 < dims[d] && Number.isFinite(values[node + strides[d]])) high = 1;
    if (low === high) return 0;
    const rise = values[node + high * strides[d]] - values[node + low * strides[d]];
    return rise / (coordinates[x + high] - coordinates[x + low]);
  };
}

/** WGSL of the same for all axes, a node's coordinates, and unit vectors. */
const gradientCode = `${indicesOf}${areFinite}${pointAt}fn derivative(node: u32, stride: u32, i: u32, n: u32, axis: u32) -> f32 {
  let here = vec2f(values(node), coordinates(axis + i));
  var low = here;
  var high = here;
  if (i > 0u) { low = vec2f(values(node - stride), coordinates(axis + i - 1u)); }
  if (i + 1u < n) { high = vec2f(values(node + stride), coordinates(axis + i + 1u)); }
  if (!are_finite(vec4f(low.x))) { low = here; }
  if (!are_finite(vec4f(high.x))) { high = here; }
  return select((high.x - low.x) / (high.y - low.y), 0.0, high.y == low.y);
}
fn gradient(node: u32, at: vec3u) -> vec3f {
  let dims = constants.dims;
  return vec3f(
    derivative(node, 1u, at.x, dims.x, 0u),
    derivative(node, constants.row, at.y, dims.y, dims.x),
    derivative(node, constants.slice, at.z, dims.z, dims.x + dims.y),
  );
}
fn direction(v: vec3f, otherwise: vec3f) -> vec3f {
  let largest = max(abs(v.x), max(abs(v.y), abs(v.z)));
  if (!(largest > 0.0) | !are_finite(vec4f(largest))) { return otherwise; }
  return normalize(v / largest);
}`;

/**
 * Where vertices lie on their edges, at the edges' lower nodes: the share of the way to the upper node, position and
 * normal. Everything is made in the edge's own direction, so that all who share it agree to the bit. The normal is the
 * gradient, of central differences, one-sided at the border and beside values that are not finite; along the edge where
 * it is zero.
 */
export const cross = defineKernel({
  name: "cross edges",
  inputs: {
    edges: { type: "u32", reach: "own" },
    values: { type: "f32", reach: neighboursReach },
    coordinates: { type: "f32", reach: "all" },
    isovalues: { type: "f32", components: 2, reach: "all" },
  },
  constants: gridConstants,
  outputs: {
    shares: { type: "f32" },
    positions: { type: "f32", components: 3 },
    normals: { type: "f32", components: 3 },
  },
  js({ inputs, constants: { dims, row, slice }, outputs: { shares, positions, normals } }) {
    const { edges, values, coordinates, isovalues } = inputs;
    const strides = [1, row, slice];
    const axes = [0, dims[0], dims[0] + dims[1]];
    const nodeCount = slice * dims[2];
    const derivative = derivativeOf(values, coordinates, { dims, row, slice });
    return (node, place) => {
      const level = Math.floor(edges[place] / (3 * nodeCount));
      const axis = edges[place] - 3 * (node + level * nodeCount);
      const high = node + strides[axis];
      const [f0, f1] = [values[node], values[high]];
      const rest = isovalues[2 * level] - f0 + isovalues[2 * level + 1];
      const t = Math.min(Math.max(rest / (f1 - f0), 0), 1);
      shares[place] = t;
      const rows = Math.floor(node / row);
      const at = [node % row, rows % dims[1], Math.floor(rows / dims[1])];
      const normal = [0, 0, 0];
      let largest = 0;
      for (let d = 0; d < 3; d++) {
        const step = d === axis ? 1 : 0;
        const x = coordinates[axes[d] + at[d]];
        positions[3 * place + d] = x + t * (coordinates[axes[d] + at[d] + step] - x);
        const g = derivative(node, d, at[d]);
        normal[d] = g + t * (derivative(high, d, at[d] + step) - g);
        largest = Math.max(largest, Math.abs(normal[d]));
      }
      if (!(largest > 0)) normal[axis] = largest = Math.sign(f1 - f0);
      const length = largest * Math.hypot(...normal.map((x) => x / largest));
      for (let d = 0; d < 3; d++) normals[3 * place + d] = normal[d] / length;
    };
  },
  wgsl: `
    let edge = edge_of(edges(place), element);
    let at = indices_of(element);
    let step = vec3u(vec3u(edge.axis) == vec3u(0u, 1u, 2u));
    let f0 = values(element);
    let f1 = values(edge.high);
    let isovalue = isovalues(edge.level);
    let t = clamp(((isovalue.x - f0) + isovalue.y) / (f1 - f0), 0.0, 1.0);
    let low = point(at);
    let g0 = gradient(element, at);
    let g1 = gradient(edge.high, at + step);
    out.shares = t;
    out.positions = low + t * (point(at + step) - low);
    out.normals = direction(g0 + t * (g1 - g0), vec3f(step) * sign(f1 - f0));`,
  wgslFunctions: edgeOf + gradientCode,
});

/** A field of so many components on its way along edges, at their lower nodes. */
const interpolationOf = (components: 1 | 2 | 3 | 4) =>
  defineKernel({
    name: `interpolate ${components}`,
    inputs: {
      edges: { type: "u32", reach: "own" },
      shares: { type: "f32", reach: "own" },
      field: { type: "f32", components, reach: ({ slice }) => [0, Number(slice)] },
    },
    constants: gridConstants,
    outputs: { results: { type: "f32", components } },
    js({ inputs: { edges, shares, field }, constants: { dims, row, slice }, outputs: { results } }) {
      const strides = [1, row, slice];
      const nodeCount = slice * dims[2];
      return (node, place) => {
        const level = Math.floor(edges[place] / (3 * nodeCount));
        const high = node + strides[edges[place] - 3 * (node + level * nodeCount)];
        for (let c = 0; c < components; c++) {
          const low = field[node * components + c];
          results[place * components + c] = low + shares[place] * (field[high * components + c] - low);
        }
      };
    },
    wgsl: `
      let low = field(element);
      out.results = low + shares(place) * (field(edge_of(edges(place), element).high) - low);`,
    wgslFunctions: edgeOf,
  });

/** By the field's components. */
export const interpolations = [1, 2, 3, 4].map((components) => interpolationOf(components as 1 | 2 | 3 | 4));
