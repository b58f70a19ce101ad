import type { FunctionText } from "./filter.ts";

/**
 * `scale_of(m)`: a power of two that brings a tensor's largest entry into [1, 2), so that products of entries stay
 * within f32's range while scaling itself costs no digits. Made on the bits: 2^(127 − e) for the exponent e.
 * `is_finite_tensor(m)`: no entry is infinite or NaN.
 */
export const tensorScaling: FunctionText = {
  text: /* wgsl */ `
fn largest_bits(m: mat3x3f) -> u32 {
  let sizes = max(max(bitcast<vec3u>(m[0]) & vec3u(0x7fffffffu), bitcast<vec3u>(m[1]) & vec3u(0x7fffffffu)),
    bitcast<vec3u>(m[2]) & vec3u(0x7fffffffu));
  return max(max(sizes.x, sizes.y), sizes.z);
}

fn is_finite_tensor(m: mat3x3f) -> bool {
  return largest_bits(m) < 0x7f800000u;
}

fn scale_of(m: mat3x3f) -> f32 {
  let exponent = min(largest_bits(m) & 0x7f800000u, 0x7e800000u);
  return bitcast<f32>(min(0x7f000000u - exponent, 0x7e800000u));
}
`,
};
