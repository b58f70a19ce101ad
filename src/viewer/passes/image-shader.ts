import { sumsCode } from "./shaders.ts";

/** Where the corners of two triangles lie in a rectangle. */
export const imageAcrossCode = /* wgsl */ `
fn imageAcross(vertex: u32) -> vec2<f32> {
  let isRight = vertex == 1u || vertex == 2u || vertex == 4u;
  let isUp = vertex == 2u || vertex == 4u || vertex == 5u;
  return vec2<f32>(f32(isRight), f32(isUp));
}`;

/** Draws images: `opaque` hides what is behind it, `translucent` accumulates. */
export const imageSumsShader = /* wgsl */ `
${sumsCode}
${imageAcrossCode}
/** Corners, then columns, rows, how many of both lie across, and the first of both. */
@group(2) @binding(0) var<storage, read> place_words: array<f32>;
@group(2) @binding(1) var<storage, read> scalars: array<f32>;

struct Varying {
  @builtin(position) clip: vec4f,
  @location(0) texel: vec2f,
  @location(1) kept: f32,
  @location(2) depth: f32,
}

fn pair_at(word: u32) -> vec2f {
  return vec2f(place_words[word], place_words[word + 1u]);
}

@vertex fn place(@builtin(vertex_index) vertex: u32) -> Varying {
  let word = 3u * vertex;
  let corner = vec3f(place_words[word], place_words[word + 1u], place_words[word + 2u]);
  let scene = corner * view.scale;
  let position = view.view * vec4f(scene, 1.0);
  let texel = imageAcross(vertex) * pair_at(20u) + pair_at(22u);
  return Varying(view.projection * position, texel, kept_at(scene), position.z);
}

@fragment fn opaque(in: Varying) {
  if (in.kept < 0.0) {
    discard;
  }
}

@fragment fn translucent(in: Varying) -> Sums {
  if (in.kept < 0.0) {
    discard;
  }
  let size = pair_at(18u);
  let texel = vec2u(clamp(floor(in.texel), vec2f(), size - 1.0));
  let scalar = scalars[texel.y * u32(size.x) + texel.x];
  let weighted = weighScalar(scalar, paint.origin, paint.per_unit, paint.shift);
  return sums_of(color_of(weighted, weighted.y), weight_at(in.depth));
}
`;
