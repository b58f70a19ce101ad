import { storedValue } from "../../../fields/compact-field.ts";
import { type Fragment, linkFragments } from "../../../shader/fragment.ts";

export const interpolateParameters: Fragment = {
  name: "interpolate: parameters",
  code: /* wgsl */ `
struct Parameters {
  count: u32,
  /** From a node to the next one along y, and along z. */
  row: u32,
  slice: u32,
  nodes: u32,
  /** First words of x, y and z in the coordinate tables. */
  axes: vec3u,
  /** First elements of the contoured field's component and of the other's, and how both are stored. */
  plane: u32,
  storage: u32,
  other_plane: u32,
  other_storage: u32,
  isovalue: f32,
  isovalue_rest: f32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
`,
};

export const interpolateThreads = 128;

/** Values of a field at the vertices on grid edges, which the contoured field's values share out, and inside cells. */
const interpolate: Fragment = {
  name: "interpolate",
  requires: [interpolateParameters, storedValue],
  code: /* wgsl */ `
@group(0) @binding(1) var<storage, read> edges: array<u32>;
@group(0) @binding(2) var<storage, read> field: array<u32>;
@group(0) @binding(3) var<storage, read> other: array<u32>;
@group(0) @binding(4) var<storage, read_write> values: array<f32>;
/** Where vertices lie, for those inside cells. */
@group(0) @binding(5) var<storage, read> positions: array<f32>;
@group(0) @binding(6) var<storage, read> coordinates: array<f32>;

fn field_value(point: u32) -> f32 {
  let i = parameters.plane + point;
  return stored_value(field[stored_word(i, parameters.storage)], i, parameters.storage);
}

fn other_value(point: u32) -> f32 {
  let i = parameters.other_plane + point;
  return stored_value(other[stored_word(i, parameters.other_storage)], i, parameters.other_storage);
}

/** Between the eight nodes around a place in a cell. */
fn value_inside(v: u32, node: u32) -> f32 {
  let cell = vec3u(node % parameters.row, node % parameters.slice / parameters.row, node / parameters.slice);
  var place = vec3f(0.0);
  for (var axis = 0u; axis < 3u; axis++) {
    let word = parameters.axes[axis] + cell[axis];
    let low = coordinates[word];
    place[axis] = clamp((positions[3u * v + axis] - low) / (coordinates[word + 1u] - low), 0.0, 1.0);
  }
  var sum = 0.0;
  for (var corner = 0u; corner < 8u; corner++) {
    let high = vec3u(corner, corner >> 1u, corner >> 2u) & vec3u(1u);
    let share = select(vec3f(1.0) - place, place, high == vec3u(1u));
    let point = node + high.x + high.y * parameters.row + high.z * parameters.slice;
    sum += share.x * share.y * share.z * other_value(point);
  }
  return sum;
}

fn value_between(edge: u32) -> f32 {
  let low = edge / 3u;
  let steps = vec3u(1u, parameters.row, parameters.slice);
  let high = low + steps[edge - 3u * low];
  let f0 = field_value(low);
  let t = clamp(((parameters.isovalue - f0) + parameters.isovalue_rest) / (field_value(high) - f0), 0.0, 1.0);
  let c0 = other_value(low);
  return c0 + t * (other_value(high) - c0);
}

@compute @workgroup_size(${interpolateThreads})
fn interpolate(
  @builtin(global_invocation_id) thread: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  for (var v = thread.x; v < parameters.count; v += groups.x * ${interpolateThreads}u) {
    if (edges[v] < 3u * parameters.nodes) {
      values[v] = value_between(edges[v]);
    } else {
      values[v] = value_inside(v, edges[v] % parameters.nodes);
    }
  }
}
`,
};

export const interpolateShader = {
  label: "isosurface: interpolate",
  code: linkFragments(interpolate),
  entryPoint: "interpolate",
};
