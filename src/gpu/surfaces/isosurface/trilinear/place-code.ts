import { firstInnerBits } from "../../../../core/marching-cubes/trilinear/patch.ts";

/**
 * WGSL: where inner vertices lie in their cell, with coordinates in 0 … 1, as `fanPlace` and `InnerConnection.ring` have it.
 * Needs `decisionCode`, and its corners scaled.
 */
export const placeCode = /* wgsl */ `
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
  let header = case_word(patch_number);
  var sum = vec3f(0.0);
  var sides = 0.0;
  for (var t = 0u; t < (header & 31u); t++) {
    let triangle = case_word((header >> 8u) + (t >> 1u)) >> (15u * (t & 1u));
    if (((triangle >> 5u) & 31u) == ${firstInnerBits}u + slot) {
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
fn ring_place(connection: Connection, slot: u32) -> vec3f {
  let low = saddle_of(connection.low);
  let high = saddle_of(connection.high);
  let from_high = (vec3u(0x38u, 0x0eu, 0x1cu) >> vec3u(slot)) & vec3u(1u);
  return select(vec3f(low, connection.low), vec3f(high, connection.high), from_high == vec3u(1u));
}
`;
