import type { Fragment } from "../../../shader/fragment.ts";
import { blockLayout } from "../blocks.ts";
import { fieldValues } from "../kernels/field-values.ts";

/** An open cell's values less the isovalue, for this thread. */
export const cellValues: Fragment = {
  name: "cell values",
  requires: [fieldValues, blockLayout],
  code: /* wgsl */ `
var<private> corner_values: array<f32, 8>;
/** The same over their largest magnitude's power of two: 24 bits of it, and whole where the values are. */
var<private> whole_values: array<i32, 8>;

fn corner_of(i: u32) -> vec3u {
  return vec3u(i, i >> 1u, i >> 2u) & vec3u(1u);
}

/** Of the cell with that lower corner; the bits of its corners above the isovalue. */
fn load_corners(cell: vec3u, isovalue: vec2f) -> u32 {
  var above = 0u;
  for (var corner = 0u; corner < 8u; corner++) {
    let value = field_value(number_of(cell + corner_of(corner), parameters.dims));
    above |= u32(value > isovalue.x) << corner;
    corner_values[corner] = (value - isovalue.x) - isovalue.y;
  }
  return above;
}

/** Needs the corners; they are scaled by a power of two, to magnitudes below 2²⁴. */
fn scale_corners() {
  var largest = 0u;
  for (var corner = 0u; corner < 8u; corner++) {
    largest = max(largest, bitcast<u32>(corner_values[corner]) & 0x7fffffffu);
  }
  // 23 binary places beside the largest one's first, in two factors that are no subnormal numbers.
  let shift = 150 - i32(largest >> 23u);
  let half = shift / 2;
  let factor = bitcast<f32>(u32(half + 127) << 23u);
  let rest = bitcast<f32>(u32(shift - half + 127) << 23u);
  for (var corner = 0u; corner < 8u; corner++) {
    corner_values[corner] = corner_values[corner] * factor * rest;
    whole_values[corner] = i32(round(corner_values[corner]));
  }
}
`,
};
