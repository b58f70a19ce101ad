import { lightCode, scaledCode, shadeCode, weighScalarCode } from "../shading.ts";

/** Of what all passes draw into. */
export const depthFormat = "depth32float";
/** Of the sums of translucent drawables: colours with weights, and the fraction of the background that shows through. */
export const sumsFormats = ["rgba16float", "r16float"] as const;

/** Words of the uniform that holds the view; `ViewUniforms.write` fills it. */
export const viewWords = 40;
/** The word of `View.growth`. */
export const growthWord = 35;

/** The first bindings of all passes: the view, and the paint of the drawable. */
export const blocks = /* wgsl */ `
struct View {
  view: mat4x4f,
  projection: mat4x4f,
  scale: f32,
  near: f32,
  far: f32,
  /** What is added to the size of points. */
  growth: f32,
  viewport: vec2f,
}

struct Paint {
  clip: vec4f,
  nan: vec3f,
  /** This, per_unit, shift and scale are those of a ShaderScale. */
  origin: f32,
  solid: vec3f,
  per_unit: f32,
  uses_table: f32,
  shading: f32,
  opacity: f32,
  /** Number of the drawable, from 1. */
  number: f32,
  /** Diameter of points in CSS pixels. */
  size: f32,
  shift: f32,
  scale: vec4f,
}

@group(0) @binding(0) var<uniform> view: View;
@group(1) @binding(0) var<uniform> paint: Paint;

/** Below 0 where a position is clipped away. */
fn kept_at(scene: vec3f) -> f32 {
  return dot(scene, paint.clip.xyz) + paint.clip.w * view.scale;
}
`;

/**
 * Weighted blended order-independent transparency (McGuire and Bavoil, JCGT 2013): colours are summed with weights that
 * fall with the distance, and divided by the sum of the weights.
 */
export const sumsCode = /* wgsl */ `
${blocks}
@group(1) @binding(1) var table: texture_2d<f32>;
@group(1) @binding(2) var table_sampler: sampler;
${weighScalarCode}
${scaledCode}
${lightCode}

struct Sums {
  @location(0) accumulated: vec4f,
  @location(1) covered: vec4f,
}

fn color_of(weighted: vec2f, is_number: f32) -> vec3f {
  let t = scaled(weighted.x / max(weighted.y, 1.0e-6), paint.scale);
  let entry = vec2f((t * 255.0 + 0.5) / 256.0, 0.5);
  let mapped = mix(paint.nan, textureSampleLevel(table, table_sampler, entry, 0.0).rgb, is_number);
  return mix(paint.solid, mapped, paint.uses_table);
}

fn weight_at(z: f32) -> f32 {
  // Sheets that are a tenth of the depth apart differ by a factor of three; all weights are normal in f16.
  let depth = clamp((-z - view.near) / (view.far - view.near), 0.0, 1.0);
  return paint.opacity * exp2(5.0 - 16.0 * depth);
}

fn sums_of(color: vec3f, weight: f32) -> Sums {
  return Sums(vec4f(color * weight, weight), vec4f(paint.opacity));
}
`;

/** Draws surfaces: `opaque` hides what is behind it, `translucent` accumulates. */
export const surfaceSumsShader = /* wgsl */ `
${sumsCode}
${shadeCode}

struct Varying {
  @builtin(position) clip: vec4f,
  @location(0) position: vec3f,
  @location(1) normal: vec3f,
  @location(2) weighted: vec2f,
  @location(3) kept: f32,
}

struct Vertex {
  @location(0) position: vec3f,
  @location(1) normal: vec3f,
  @location(2) scalar: f32,
}

@vertex fn place(vertex: Vertex) -> Varying {
  let scene = vertex.position * view.scale;
  let position = view.view * vec4f(scene, 1.0);
  return Varying(
    view.projection * position,
    position.xyz,
    (view.view * vec4f(vertex.normal, 0.0)).xyz,
    weighScalar(vertex.scalar, paint.origin, paint.per_unit, paint.shift),
    kept_at(scene),
  );
}

@fragment fn opaque(in: Varying) {
  if (in.kept < 0.0) {
    discard;
  }
}

@fragment fn translucent(in: Varying, @builtin(front_facing) is_front: bool) -> Sums {
  let is_number = clamp((in.weighted.y - 0.5) / max(fwidth(in.weighted.y), 1.0e-6) + 0.5, 0.0, 1.0);
  let color = color_of(in.weighted, is_number);
  let shaded = shade(in.position, in.normal, is_front, color, paint.shading, in.kept);
  return sums_of(shaded, weight_at(in.position.z));
}
`;
