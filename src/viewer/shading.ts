import { wgsl, wgslFn } from "three/tsl";

/**
 * What a scalar contributes to the interpolated pair (x · weight, weight), x being its number on a scale (`ShaderScale`):
 * NaN has no weight.
 */
export const weighScalarCode = /* wgsl */ `
fn weighScalar(scalar: f32, origin: f32, perUnit: f32, shift: f32) -> vec2<f32> {
  // Compilers may assume that floats are numbers, so the test is on the bits.
  let isNaN = (bitcast<u32>(scalar) & 0x7fffffffu) > 0x7f800000u;
  // The bounds keep infinite values out of the interpolation; the colours end at 0 and 1 anyway.
  let x = clamp((scalar - origin) * perUnit + shift, -1.0e4, 1.0e4);
  return select(vec2<f32>(x, 1.0), vec2<f32>(0.0, 0.0), isNaN);
}`;

export const weighScalar = wgslFn(weighScalarCode);

/** Where an interpolated x of `weighScalar` lies on its scale, in [0, 1]: `scalePosition` in WGSL. */
export const scaledCode = /* wgsl */ `
fn scaled(x: f32, scale: vec4<f32>) -> f32 {
  if (scale.x < 0.5) {
    return clamp(x, 0.0, 1.0);
  }
  let u = scale.y * x;
  if (scale.x < 1.5) {
    // 0 and less lie below the scale.
    return clamp(log2(max(1.0 + u, 1.0e-37)) * scale.z, 0.0, 1.0);
  }
  let magnitude = abs(u);
  // As long as 1 / (1 - 1/10) decades, then logarithmic.
  let beyond = sign(u) * (1.1111111 + 0.30103 * log2(max(magnitude, 1.0)));
  let decades = select(1.1111111 * u, beyond, magnitude > 1.0);
  return clamp((decades - scale.z) * scale.w, 0.0, 1.0);
}`;

export const scaled = wgslFn(scaledCode);

/**
 * Light in view space: a key light over the viewer's left shoulder, a soft hemisphere from above, a small highlight. What
 * faces the viewer keeps its colour. sRGB in and out.
 */
export const lightCode = /* wgsl */ `
fn keyLight() -> vec3<f32> {
  return normalize(vec3<f32>(-0.3, 0.4, 1.0));
}

/** Between the key light and the eye, seen from a position. */
fn halfwayAt(position: vec3<f32>) -> vec3<f32> {
  return normalize(keyLight() + normalize(-position));
}

fn linearOf(color: vec3<f32>) -> vec3<f32> {
  return select(pow((color + 0.055) / 1.055, vec3<f32>(2.4)), color / 12.92, color <= vec3<f32>(0.04045));
}

fn light(n: vec3<f32>, halfway: vec3<f32>, linear: vec3<f32>) -> vec3<f32> {
  let key = keyLight();
  let ambient = mix(0.10, 0.34, 0.5 + 0.5 * n.y);
  let diffuse = ambient + 0.78 * max(dot(n, key), 0.0) / key.z;
  // To the power of 64.
  var sharp = max(dot(n, halfway), 0.0);
  for (var i = 0; i < 6; i++) {
    sharp *= sharp;
  }
  let highlight = 0.05 * sharp;
  let lit = clamp(linear * diffuse + highlight, vec3<f32>(0.0), vec3<f32>(1.0));
  return select(1.055 * pow(lit, vec3<f32>(1.0 / 2.4)) - 0.055, lit * 12.92, lit <= vec3<f32>(0.0031308));
}`;

export const lighting = wgsl(lightCode);

/**
 * A surface seen from both sides, lit. The winding determines the side, not the facet's plane, which is noise in the
 * slivers of an isosurface.
 */
export const shadeCode = /* wgsl */ `
fn shade(
  position: vec3<f32>,
  normal: vec3<f32>,
  isFront: bool,
  color: vec3<f32>,
  /** 1 for normals across each triangle, 2 for the colour as it is. */
  shading: f32,
  /** Below 0 where nothing is to be seen. */
  kept: f32,
) -> vec3<f32> {
  if (kept < 0.0) {
    discard;
  }
  let across = cross(dpdx(position), dpdy(position));
  let facet = across * select(-1.0, 1.0, dot(across, position) < 0.0);
  let sided = normal * select(-1.0, 1.0, isFront);
  let n = normalize(select(sided, facet, (dot(normal, normal) < 1.0e-12) | (shading > 0.5)));
  return select(light(n, halfwayAt(position), linearOf(color)), color, shading > 1.5);
}`;

export const shade = wgslFn(shadeCode, [lighting]);
