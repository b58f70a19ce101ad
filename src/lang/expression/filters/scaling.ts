import type { Fragment } from "../../../gpu/shader/fragment.ts";

/**
 * `scale_of(m)`: a power of two that brings a tensor's largest entry into [1, 2), so that products of entries stay
 * within f32's range while scaling itself costs no digits. Made on the bits: 2^(127 − e) for the exponent e.
 */
export const scaleOfTensor: Fragment = {
  name: "scale of a tensor",
  code: /* wgsl */ `
fn scale_of(m: mat3x3f) -> f32 {
  let sizes = max(max(abs(m[0]), abs(m[1])), abs(m[2]));
  let exponent = bitcast<u32>(max(max(sizes.x, sizes.y), sizes.z)) & 0x7f800000u;
  return bitcast<f32>(clamp(0x7f000000u - min(exponent, 0x7e800000u), 0x00800000u, 0x7e800000u));
}
`,
};
