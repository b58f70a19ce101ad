import { innerJoints } from "../../../core/marching-cubes/trilinear/inner-joint.ts";
import { fanIn } from "../../../core/marching-cubes/trilinear/open-cell-table.ts";
import { cornerWeights, fanPlace } from "../../../core/marching-cubes/trilinear/place.ts";
import { placeCode } from "../../../core/marching-cubes/trilinear/place-code.ts";
import { type ConstantValues, defineKernel } from "../../../core/primitives/kernel.ts";
import { derivativeOf, gradientCode } from "../crossings.ts";
import { cornersReach, gridConstants } from "../surface-grid.ts";
import { cornersCode, cornersOf, exactConstants } from "./cells.ts";

const ids = { type: "u32", reach: "own" } as const;

/**
 * Where vertices lie in the cell that begins at their node, with coordinates in 0 … 1: those on edges at the share of the
 * way to the upper node.
 */
export const place = defineKernel({
  name: "place vertices",
  inputs: {
    ids,
    values: { type: "f32", reach: cornersReach },
    patches: { type: "u32", reach: () => [0, 0] },
    cases: { type: "u32", reach: "all" },
  },
  constants: exactConstants,
  outputs: { places: { type: "f32", components: 3 } },
  js({ inputs, constants, outputs: { places } }) {
    const { values, patches, cases } = inputs;
    const {
      dims,
      row,
      slice,
      isovalue: [rounded, rest],
    } = constants;
    const nodeCount = slice * dims[2];
    const corners = new Float64Array(8);
    const aboveAt = cornersOf(values, constants, corners);
    return (node, at) => {
      const id = inputs.ids[at];
      if (id < 3 * nodeCount) {
        const axis = id - 3 * node;
        const [f0, f1] = [values[node], values[node + [1, row, slice][axis]]];
        places[3 * at + axis] = Math.min(Math.max((rounded - f0 + rest) / (f1 - f0), 0), 1);
        return;
      }
      const slot = Math.floor(id / nodeCount) - 3;
      const above = aboveAt(node);
      const ring = patches[node] >> 16;
      const joint = innerJoints(above, corners).find(({ kind }) => (kind >> 3) + 1 === ring);
      places.set(joint ? joint.ring[slot] : fanPlace(corners, fanIn(cases, patches[node], slot)), 3 * at);
    };
  },
  wgsl: `
    let nodes = constants.slice * constants.dims.z;
    let id = ids(place);
    if (id < 3u * nodes) {
      let axis = id - 3u * element;
      let f0 = values(element);
      let f1 = values(element + vec3u(1u, constants.row, constants.slice)[axis]);
      let t = clamp(((constants.isovalue.x - f0) + constants.isovalue.y) / (f1 - f0), 0.0, 1.0);
      out.places = t * vec3f(vec3u(axis) == vec3u(0u, 1u, 2u));
      return out;
    }
    let slot = id / nodes - 3u;
    let above = load_corners(element);
    scale_corners();
    let patch_words = patches(element);
    if ((patch_words >> 16u) == 0u) {
      out.places = fan_place(patch_words & 0xffffu, slot);
    } else {
      out.places = ring_place(joint_along(above, (patch_words >> 16u) - 1u), slot);
    }`,
  wgslFunctions: cornersCode + placeCode,
});

/** From an edge's lower node or a cell's first one, the neighbours of all its corners. */
const neighboursReach = ({ row, slice }: ConstantValues): readonly [number, number] => [
  Number(slice),
  1 + Number(row) + 2 * Number(slice),
];

/** Positions and normals, at the vertices' nodes: along edges as `cross` has them, inside cells between all corners. */
export const spread = defineKernel({
  name: "spread vertices",
  inputs: {
    ids,
    places: { type: "f32", components: 3, reach: "own" },
    values: { type: "f32", reach: neighboursReach },
    coordinates: { type: "f32", reach: "all" },
  },
  constants: gridConstants,
  outputs: { positions: { type: "f32", components: 3 }, normals: { type: "f32", components: 3 } },
  js({ inputs, constants: { dims, row, slice }, outputs: { positions, normals } }) {
    const { places, values, coordinates } = inputs;
    const axes = [0, dims[0], dims[0] + dims[1]];
    const strides = [1, row, slice];
    const derivative = derivativeOf(values, coordinates, { dims, row, slice });
    return (node, at) => {
      const id = inputs.ids[at];
      const axis = id < 3 * slice * dims[2] ? id - 3 * node : undefined;
      const rows = Math.floor(node / row);
      const indices = [node % row, rows % dims[1], Math.floor(rows / dims[1])];
      const share = [0, 1, 2].map((d) => places[3 * at + d]);
      const weights = cornerWeights(share);
      const normal = [0, 0, 0];
      let largest = 0;
      for (let d = 0; d < 3; d++) {
        const x = axes[d] + indices[d];
        const step = share[d] > 0 || d === axis ? coordinates[x + 1] - coordinates[x] : 0;
        positions[3 * at + d] = coordinates[x] + share[d] * step;
        for (let c = 0; c < 8; c++) {
          if (weights[c] === 0) continue;
          const corner = node + (c & 1) + ((c >> 1) & 1) * row + (c >> 2) * slice;
          normal[d] += weights[c] * derivative(corner, d, indices[d] + ((c >> d) & 1));
        }
        largest = Math.max(largest, Math.abs(normal[d]));
      }
      if (!(largest > 0)) {
        const d = axis ?? 2;
        normal[d] = largest = axis === undefined ? 1 : Math.sign(values[node + strides[d]] - values[node]);
      }
      const length = Math.abs(largest) * Math.hypot(...normal.map((x) => x / largest));
      for (let d = 0; d < 3; d++) normals[3 * at + d] = normal[d] / length;
    };
  },
  wgsl: `
    let id = ids(place);
    let at = indices_of(element);
    let share = places(place);
    let low = point(at);
    if (id < 3u * constants.slice * constants.dims.z) {
      let axis = id - 3u * element;
      let step = vec3u(vec3u(axis) == vec3u(0u, 1u, 2u));
      let high = element + vec3u(1u, constants.row, constants.slice)[axis];
      let g0 = gradient(element, at);
      let g1 = gradient(high, at + step);
      out.positions = low + share[axis] * (point(at + step) - low);
      out.normals = direction(g0 + share[axis] * (g1 - g0), vec3f(step) * sign(values(high) - values(element)));
      return out;
    }
    out.positions = low + share * (point(at + 1u) - low);
    var slope = vec3f(0.0);
    for (var corner = 0u; corner < 8u; corner++) {
      let high = vec3u(corner, corner >> 1u, corner >> 2u) & vec3u(1u);
      let weight = select(vec3f(1.0) - share, share, high == vec3u(1u));
      let node = element + high.x + high.y * constants.row + high.z * constants.slice;
      slope += weight.x * weight.y * weight.z * gradient(node, at + high);
    }
    out.normals = direction(slope, vec3f(0.0, 0.0, 1.0));`,
  wgslFunctions: gradientCode,
});

/** A field of so many components at the vertices, at their nodes. */
const interpolationOf = (components: 1 | 2 | 3 | 4) =>
  defineKernel({
    name: `interpolate ${components} inside cells`,
    inputs: {
      ids,
      places: { type: "f32", components: 3, reach: "own" },
      field: { type: "f32", components, reach: cornersReach },
    },
    constants: gridConstants,
    outputs: { results: { type: "f32", components } },
    js({ inputs: { ids: own, places, field }, constants: { dims, row, slice }, outputs: { results } }) {
      const strides = [1, row, slice];
      return (node, at) => {
        const axis = own[at] < 3 * slice * dims[2] ? own[at] - 3 * node : undefined;
        const weights = cornerWeights([0, 1, 2].map((d) => places[3 * at + d]));
        for (let k = 0; k < components; k++) {
          const low = field[node * components + k];
          if (axis !== undefined) {
            const high = field[(node + strides[axis]) * components + k];
            results[at * components + k] = low + places[3 * at + axis] * (high - low);
            continue;
          }
          let sum = 0;
          for (let c = 0; c < 8; c++) {
            const corner = node + (c & 1) + ((c >> 1) & 1) * row + (c >> 2) * slice;
            sum += weights[c] * field[corner * components + k];
          }
          results[at * components + k] = sum;
        }
      };
    },
    wgsl: `
      let id = ids(place);
      let share = places(place);
      let low = field(element);
      if (id < 3u * constants.slice * constants.dims.z) {
        let axis = id - 3u * element;
        out.results = low + share[axis] * (field(element + vec3u(1u, constants.row, constants.slice)[axis]) - low);
        return out;
      }
      for (var corner = 0u; corner < 8u; corner++) {
        let high = vec3u(corner, corner >> 1u, corner >> 2u) & vec3u(1u);
        let weight = select(vec3f(1.0) - share, share, high == vec3u(1u));
        let node = element + high.x + high.y * constants.row + high.z * constants.slice;
        out.results += weight.x * weight.y * weight.z * field(node);
      }`,
  });

/** By the field's components. */
export const interpolations = [1, 2, 3, 4].map((components) => interpolationOf(components as 1 | 2 | 3 | 4));
