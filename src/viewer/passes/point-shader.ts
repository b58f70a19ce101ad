import { discClipCode, discCornerCode, shadeDiscCode } from "../disc-code.ts";
import { sumsCode } from "./shaders.ts";

/** Draws points: `opaque` hides what is behind it, `translucent` accumulates. */
export const pointSumsShader = /* wgsl */ `
${sumsCode}
${discCornerCode}
${discClipCode}
${shadeDiscCode}
@group(2) @binding(0) var<storage, read> positions: array<f32>;
@group(2) @binding(1) var<storage, read> scalars: array<f32>;

struct Varying {
  @builtin(position) clip: vec4f,
  @location(0) across: vec2f,
  @location(1) @interpolate(flat) linear: vec3f,
  @location(2) @interpolate(flat) weight: f32,
  @location(3) @interpolate(flat) halfway: vec3f,
}

@vertex fn place(@builtin(vertex_index) vertex: u32) -> Varying {
  let point = vertex / 3u;
  let place = vec3f(positions[3u * point], positions[3u * point + 1u], positions[3u * point + 2u]);
  let scene = place * view.scale;
  let position = view.view * vec4f(scene, 1.0);
  let corner = discCorner(vertex);
  let reach = (paint.size + view.growth) / view.viewport;
  let clip = discClip(place, view.projection * position, corner, reach, kept_at(scene));
  if (clip.z < 0.0) {
    return Varying(clip, vec2f(), vec3f(), 0.0, vec3f());
  }
  let weighted = weighScalar(scalars[point], paint.origin, paint.per_unit, paint.shift);
  let linear = linearOf(color_of(weighted, weighted.y));
  return Varying(clip, corner, linear, weight_at(position.z), halfwayAt(position.xyz));
}

@fragment fn opaque(in: Varying) {
  if (dot(in.across, in.across) > 1.0) {
    discard;
  }
}

@fragment fn translucent(in: Varying) -> Sums {
  return sums_of(shadeDisc(in.across, in.halfway, in.linear), in.weight);
}
`;
