import { discClipCode, discCornerCode } from "../disc-code.ts";
import { blocks } from "./shaders.ts";

/** Writes what is visible at one pixel: the number of the drawable, and that of its triangle or point. */
export const pickShader = /* wgsl */ `
${blocks}
/** Positions of points, or of an image's corners. */
@group(1) @binding(1) var<storage, read> vertices: array<f32>;
@group(1) @binding(2) var<storage, read> indices: array<u32>;
${discCornerCode}
${discClipCode}

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

@vertex fn point_vertex(@builtin(vertex_index) vertex: u32) -> Varying {
  let point = vertex / 3u;
  let position = vec3f(vertices[3u * point], vertices[3u * point + 1u], vertices[3u * point + 2u]);
  let scene = position * view.scale;
  let kept = kept_at(scene);
  let corner = discCorner(vertex);
  let middle = view.projection * (view.view * vec4f(scene, 1.0));
  let clip = discClip(position, middle, corner, (paint.size + view.growth) / view.viewport, kept);
  return Varying(clip, position, kept, corner, point, position);
}

/** Corners of the two triangles of an image. */
@vertex fn image_vertex(@builtin(vertex_index) corner: u32) -> Varying {
  let position = vec3f(vertices[3u * corner], vertices[3u * corner + 1u], vertices[3u * corner + 2u]);
  let scene = position * view.scale;
  let clip = view.projection * (view.view * vec4f(scene, 1.0));
  return Varying(clip, position, kept_at(scene), vec2f(), corner / 3u, position);
}

struct Hit {
  /** Number of the drawable and of its part, x and y of the part's middle. */
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
