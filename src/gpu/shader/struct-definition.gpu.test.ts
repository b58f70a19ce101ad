import { expect, it } from "vitest";
import { makeShaderDataDefinitions } from "webgpu-utils";
import type { TypedArray } from "../../core/dtype.ts";
import { extents } from "../../lang/expression/plan/wgsl/grid-wgsl.ts";
import { parameters } from "../surfaces/isosurface/parameters.ts";
import { makeStructuredView } from "./layout.ts";
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

type Definition = Parameters<typeof makeStructuredView>[0];

/** Where each member's numbers lie in a uniform's bytes, and of which kind they are. */
function places(definition: Definition) {
  const { arrayBuffer, views } = makeStructuredView(definition);
  const members = Object.entries(views as Record<string, TypedArray>).map(([name, view]) => {
    const { byteOffset, length } = view;
    return [name, { byteOffset, length, kind: view.constructor.name }];
  });
  return { size: arrayBuffer.byteLength, members: Object.fromEntries(members) };
}

it.each([
  ["every kind of member", mixed],
  ["the isosurface's parameters", parameters.code],
  ["a grid's extents", extents.code],
])("places %s as webgpu-utils' reflection does", (_, code) => {
  const [reflected] = Object.values(makeShaderDataDefinitions(code).uniforms);
  const expected = places(reflected.typeDefinition as Definition);
  expect(Object.keys(expected.members).length).toBeGreaterThan(0);
  expect(places(structDefinition(code))).toEqual(expected);
});
