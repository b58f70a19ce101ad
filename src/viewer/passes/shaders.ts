import { roundNormalCode, shadeCode, weighScalarCode } from "../shading.ts";

/** Words of the uniform that holds the view; `ViewUniforms.write` fills it. */
export const viewWords = 40;
/** The word of `View.growth`. */
export const growthWord = 35;
/** Words of the uniform that holds a thing's paint. */
export const paintWords = 20;

const blocks = /* wgsl */ `
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
  middle: f32,
  solid: vec3f,
  per_unit: f32,
  uses_table: f32,
  is_flat: f32,
  opacity: f32,
  /** Of the thing, from 1. */
  number: f32,
  /** Of points: their diameter in CSS pixels. */
  size: f32,
}

@group(0) @binding(0) var<uniform> view: View;
@group(1) @binding(0) var<uniform> paint: Paint;

/** Below 0 where a position is clipped away. */
fn kept_at(scene: vec3f) -> f32 {
  return dot(scene, paint.clip.xyz) + paint.clip.w * view.scale;
}
`;

const pointCorners = /* wgsl */ `
/** Of the two triangles that hold a point's disc. */
fn corner_of(vertex: u32) -> vec2f {
  let corner = vertex % 3u + select(0u, 1u, vertex > 3u);
  return vec2f(select(-1.0, 1.0, (corner == 1u) | (corner == 2u)), select(-1.0, 1.0, corner >= 2u));
}

fn around(position: vec4f, corner: vec2f) -> vec4f {
  let clip = view.projection * position;
  return vec4f(clip.xy + corner * (paint.size + view.growth) / view.viewport * clip.w, clip.zw);
}
`;

/**
 * Weighted blended order-independent transparency (McGuire and Bavoil, JCGT 2013): colours are summed with weights that
 * fall with the distance, and divided by the sum of the weights.
 */
export const translucentShader = /* wgsl */ `
${blocks}
@group(1) @binding(1) var table: texture_2d<f32>;
@group(1) @binding(2) var table_sampler: sampler;
${pointCorners}
${weighScalarCode}
${shadeCode}
${roundNormalCode}

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

@vertex fn surface_vertex(vertex: Vertex) -> Varying {
  let scene = vertex.position * view.scale;
  let position = view.view * vec4f(scene, 1.0);
  return Varying(
    view.projection * position,
    position.xyz,
    (view.view * vec4f(vertex.normal, 0.0)).xyz,
    weighScalar(vertex.scalar, paint.middle, paint.per_unit),
    kept_at(scene),
  );
}

/** What is opaque hides what is behind it. */
@fragment fn opaque_surface(in: Varying) {
  if (in.kept < 0.0) {
    discard;
  }
}

struct Sums {
  @location(0) accumulated: vec4f,
  @location(1) covered: vec4f,
}

@fragment fn translucent_surface(in: Varying, @builtin(front_facing) is_front: bool) -> Sums {
  let is_number = clamp((in.weighted.y - 0.5) / max(fwidth(in.weighted.y), 1.0e-6) + 0.5, 0.0, 1.0);
  let color = color_of(in.weighted, is_number);
  return sums_of(shade(in.position, in.normal, is_front, color, paint.is_flat, in.kept), in.position.z);
}

struct Point {
  @location(0) position: vec3f,
  @location(1) scalar: f32,
}

struct PointVarying {
  @builtin(position) clip: vec4f,
  @location(0) position: vec3f,
  @location(1) across: vec2f,
  @location(2) @interpolate(flat) weighted: vec2f,
  @location(3) @interpolate(flat) kept: f32,
}

@vertex fn point_vertex(@builtin(vertex_index) vertex: u32, point: Point) -> PointVarying {
  let scene = point.position * view.scale;
  let position = view.view * vec4f(scene, 1.0);
  let corner = corner_of(vertex);
  let weighted = weighScalar(point.scalar, paint.middle, paint.per_unit);
  return PointVarying(around(position, corner), position.xyz, corner, weighted, kept_at(scene));
}

@fragment fn opaque_point(in: PointVarying) {
  if (min(in.kept, 1.0 - dot(in.across, in.across)) < 0.0) {
    discard;
  }
}

@fragment fn translucent_point(in: PointVarying) -> Sums {
  let kept = min(in.kept, 1.0 - dot(in.across, in.across));
  let color = color_of(in.weighted, in.weighted.y);
  return sums_of(shade(in.position, roundNormal(in.across), true, color, 0.0, kept), in.position.z);
}

fn color_of(weighted: vec2f, is_number: f32) -> vec3f {
  let t = clamp(weighted.x / max(weighted.y, 1.0e-6), 0.0, 1.0);
  let entry = vec2f((t * 255.0 + 0.5) / 256.0, 0.5);
  let mapped = mix(paint.nan, textureSampleLevel(table, table_sampler, entry, 0.0).rgb, is_number);
  return mix(paint.solid, mapped, paint.uses_table);
}

fn sums_of(color: vec3f, z: f32) -> Sums {
  // Sheets that are a tenth of the depth apart differ by a factor of three; all weights are normal in f16.
  let depth = clamp((-z - view.near) / (view.far - view.near), 0.0, 1.0);
  let weight = paint.opacity * exp2(5.0 - 16.0 * depth);
  return Sums(vec4f(color * weight, weight), vec4f(paint.opacity));
}
`;

/** What is seen at one pixel: things by their number, triangles and points by theirs. */
export const pickShader = /* wgsl */ `
${blocks}
@group(1) @binding(1) var<storage, read> vertices: array<f32>;
@group(1) @binding(2) var<storage, read> indices: array<u32>;
${pointCorners}

struct Varying {
  @builtin(position) clip: vec4f,
  @location(0) position: vec3f,
  @location(1) kept: f32,
  /** 0 for triangles. */
  @location(2) across: vec2f,
  @location(3) @interpolate(flat) part: u32,
  @location(4) @interpolate(flat) middle: vec3f,
}

fn position_of(corner: u32) -> vec3f {
  let word = 8u * indices[corner];
  return vec3f(vertices[word], vertices[word + 1u], vertices[word + 2u]);
}

/** Draws triangles without an index, so that the number of each is known. */
@vertex fn surface_vertex(@builtin(vertex_index) corner: u32) -> Varying {
  let triangle = corner / 3u;
  let position = position_of(corner);
  let scene = position * view.scale;
  let middle = (position_of(3u * triangle) + position_of(3u * triangle + 1u) + position_of(3u * triangle + 2u)) / 3.0;
  let clip = view.projection * (view.view * vec4f(scene, 1.0));
  return Varying(clip, position, kept_at(scene), vec2f(), triangle, middle);
}

@vertex fn point_vertex(
  @builtin(vertex_index) vertex: u32,
  @builtin(instance_index) point: u32,
  @location(0) position: vec3f,
) -> Varying {
  let scene = position * view.scale;
  let corner = corner_of(vertex);
  return Varying(around(view.view * vec4f(scene, 1.0), corner), position, kept_at(scene), corner, point, position);
}

struct Hit {
  /** Number of the thing and of its part, x and y of the part's middle. */
  @location(0) what: vec4u,
  /** Where, and z of the part's middle. */
  @location(1) place: vec4f,
}

@fragment fn pick(in: Varying) -> Hit {
  if (min(in.kept, 1.0 - dot(in.across, in.across)) < 0.0) {
    discard;
  }
  let what = vec4u(u32(paint.number), in.part, bitcast<u32>(in.middle.x), bitcast<u32>(in.middle.y));
  return Hit(what, vec4f(in.position, in.middle.z));
}
`;
