import { expect, it } from "vitest";
import { makeShaderDataDefinitions } from "webgpu-utils";
import { extents } from "../../lang/expression/plan/wgsl/grid-wgsl.ts";
import { parameters } from "../surfaces/isosurface/parameters.ts";
import { structDefinition } from "./struct-definition.ts";

const mixed = `
struct Mixed {
  /** A comment: with, a colon. */
  a: f32,
  b: vec3f, // padded
  c: u32, d: vec2<i32>,
  e: array<vec4<u32>, 3>,
  f: vec3u,
  g: i32,
}
@group(0) @binding(0) var<uniform> mixed: Mixed;
`;

it.each([
  ["every kind of member", mixed],
  ["the isosurface's parameters", parameters.code],
  ["a grid's extents", extents.code],
])("places %s as webgpu-utils' reflection does", (_, code) => {
  const [reflected] = Object.values(makeShaderDataDefinitions(code).uniforms);
  expect(structDefinition(code)).toEqual(reflected.typeDefinition);
});
