import { type Fragment, linkFragments } from "../../../shader/fragment.ts";
import { demand } from "../../surface/demand.ts";
import { firstInnerBits } from "../kernels/inner-vertices.ts";
import { surfaceNormal } from "../kernels/surface-normal.ts";
import { vertexBindings } from "../kernels/vertex-bindings.ts";
import { innerJoint } from "./inner-joint.ts";

/** Where inner vertices lie in their cell, with coordinates in 0 … 1: as `fanPlace` and `Ring` have it. */
const innerPlace: Fragment = {
  name: "inner place",
  requires: [innerJoint],
  code: /* wgsl */ `
/** Newton steps, and how far from the cell's faces they stay. */
const steps = 4u;
const margin = 0.01;
const longest_step = 0.25;

fn corner_weight(corner: u32, place: vec3f) -> f32 {
  let share = select(vec3f(1.0) - place, place, corner_of(corner) == vec3u(1u));
  return share.x * share.y * share.z;
}

/** The middle of the crossings around the vertex, moved along the gradient towards the surface. */
fn fan_place(patch_number: u32, slot: u32) -> vec3f {
  let header = cases[patch_number];
  var sum = vec3f(0.0);
  var sides = 0.0;
  for (var t = 0u; t < (header & 31u); t++) {
    let triangle = cases[(header >> 8u) + (t >> 1u)] >> (15u * (t & 1u));
    if (((triangle >> 10u) & 31u) == ${firstInnerBits}u + slot) {
      let low = triangle & 7u;
      let axis = (triangle >> 3u) & 3u;
      let value = corner_values[low];
      var crossing = vec3f(corner_of(low));
      crossing[axis] += value / (value - corner_values[low | (1u << axis)]);
      sum += crossing;
      sides += 1.0;
    }
  }
  var place = clamp(sum / sides, vec3f(margin), vec3f(1.0 - margin));
  for (var step = 0u; step < steps; step++) {
    var value = 0.0;
    var slope = vec3f(0.0);
    for (var corner = 0u; corner < 8u; corner++) {
      let is_high = corner_of(corner) == vec3u(1u);
      let share = select(vec3f(1.0) - place, place, is_high);
      value += share.x * share.y * share.z * corner_values[corner];
      slope += share.yzx * share.zxy * select(vec3f(-1.0), vec3f(1.0), is_high) * corner_values[corner];
    }
    let length_of_slope = length(slope);
    if (length_of_slope > 0.0) {
      let step_length = min(abs(value) / length_of_slope, longest_step);
      place = clamp(place - sign(value) * step_length * (slope / length_of_slope), vec3f(margin), vec3f(1.0 - margin));
    }
  }
  return place;
}

/** Of the ring's six vertices in turn: which of the two slices their x, y and z are of. */
fn ring_place(joint: Joint, slot: u32) -> vec3f {
  let low = saddle_of(joint.low);
  let high = saddle_of(joint.high);
  let from_high = (vec3u(0x38u, 0x0eu, 0x1cu) >> vec3u(slot)) & vec3u(1u);
  return select(vec3f(low, joint.low), vec3f(high, joint.high), from_high == vec3u(1u));
}
`,
};

/** The vertices inside open cells, which \`decide_cells\` numbered after all others of the present isovalue. */
const emitInner: Fragment = {
  name: "emit inner vertices",
  requires: [innerPlace, surfaceNormal, vertexBindings, demand],
  code: /* wgsl */ `
override threads = 128u;

@group(0) @binding(6) var<storage, read> cases: array<u32>;

fn emit_vertex(vertex: u32, isovalue: vec2f) {
  let mark = vertices[2u * vertex];
  let id = vertices[2u * vertex + 1u].w;
  let dims = parameters.dims;
  let nodes = dims.x * dims.y * dims.z;
  let slot = id / nodes - 3u;
  let cell = position_of(id % nodes, dims);
  let above = load_corners(cell, isovalue);
  scale_corners();
  var place = vec3f(0.5);
  if (mark.y == 0u) {
    place = fan_place(mark.x, slot);
  } else {
    place = ring_place(joint_along(above, mark.y - 1u), slot);
  }
  let low = parameters.axes + cell;
  let x0 = vec3f(coordinates[low.x], coordinates[low.y], coordinates[low.z]);
  let x1 = vec3f(coordinates[low.x + 1u], coordinates[low.y + 1u], coordinates[low.z + 1u]);
  var slope = vec3f(0.0);
  var scalar = 0.0;
  for (var corner = 0u; corner < 8u; corner++) {
    let weight = corner_weight(corner, place);
    let point = cell + corner_of(corner);
    let number = number_of(point, dims);
    slope += weight * gradient(field_value(number), point);
    scalar += weight * color[parameters.color_plane + number];
  }
  let position = x0 + place * (x1 - x0);
  let normal = direction(slope, vec3f(0.0, 0.0, 1.0));
  vertices[2u * vertex] = bitcast<vec4u>(vec4f(position, normal.x));
  vertices[2u * vertex + 1u] = vec4u(bitcast<vec3u>(vec3f(normal.yz, scalar)), id);
}

/** As many workgroups as keep the GPU busy share the inner vertices of the present isovalue. */
@compute @workgroup_size(threads)
fn emit_inner(
  @builtin(global_invocation_id) thread: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let isovalue = parameters.isovalues[state.isovalue].xy;
  let vertex_demand = atomicLoad(&state.vertex_demand);
  if (vertex_demand >= most_demand) {
    return;
  }
  let first = vertex_demand - atomicLoad(&state.inner_count);
  let end = min(vertex_demand, parameters.vertex_capacity);
  for (var vertex = first + thread.x; vertex < end; vertex += groups.x * threads) {
    emit_vertex(vertex, isovalue);
  }
}
`,
};

export const emitInnerShader = {
  label: "isosurface: emit inner vertices",
  code: linkFragments(emitInner),
  entryPoint: "emit_inner",
};
