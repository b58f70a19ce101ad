/**
 * Points as discs, three vertices each: a triangle around the disc, without an index or instances, so that GPUs fill their
 * warps. The disc is where the length of the interpolated corner is at most 1.
 */
export const discCornerCode = /* wgsl */ `
fn discCorner(vertex: u32) -> vec2<f32> {
  let corner = vertex % 3u;
  let side = select(-1.7320508, 1.7320508, corner == 1u);
  return select(vec2<f32>(side, -1.0), vec2<f32>(0.0, 2.0), corner == 2u);
}`;

/**
 * Clip coordinates of a corner. All corners of an invisible point coincide: one that is not finite, out of view, or
 * clipped away (`kept` below 0).
 */
export const discClipCode = /* wgsl */ `
fn discClip(
  position: vec3<f32>,
  /** Clip coordinates of the middle. */
  clip: vec4<f32>,
  corner: vec2<f32>,
  /** The disc's radius, in halves of the view. */
  reach: vec2<f32>,
  kept: f32,
) -> vec4<f32> {
  // Compilers may assume that floats are finite, so the test is on the bits.
  let bits = bitcast<vec3<u32>>(position) & vec3<u32>(0x7fffffffu);
  let isFinite = max(max(bits.x, bits.y), bits.z) < 0x7f800000u;
  let isInside = all(abs(clip.xy) <= (1.0 + reach) * clip.w) & (clip.z >= 0.0) & (clip.z <= clip.w);
  let placed = vec4<f32>(clip.xy + corner * reach * clip.w, clip.zw);
  return select(vec4<f32>(0.0, 0.0, -1.0, 1.0), placed, isFinite & isInside & (kept >= 0.0));
}`;

/** The lit colour of a ball seen along z, at a position on its disc. */
export const shadeDiscCode = /* wgsl */ `
fn shadeDisc(across: vec2<f32>, halfway: vec3<f32>, linear: vec3<f32>) -> vec3<f32> {
  let squared = 1.0 - dot(across, across);
  if (squared < 0.0) {
    discard;
    // What is discarded goes on all the same, as a helper of its neighbours.
    return vec3<f32>();
  }
  return light(vec3<f32>(across, sqrt(squared)), halfway, linear);
}`;
