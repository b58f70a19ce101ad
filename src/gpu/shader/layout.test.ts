import { expect, test } from "vitest";
import { UniformView } from "./layout.ts";

/** Offsets by WGSL's "Alignment and Size": vec3 lies at multiples of 16 bytes and leaves its last word to a scalar. */
const code = /* wgsl */ `
struct Other {
  dims: vec4f,
}

struct Shape {
  /** Nodes: and, a comment with a colon. */
  dims: vec3u,
  count: u32,
  tiles: vec2i,
  depth: i32, // and low: another
  low: vec3f,
  levels: array<vec4f, 3>,
  last: f32,
}

@group(0) @binding(0) var<uniform> other: Other;
@group(0) @binding(1) var<uniform> shape: Shape;
`;

test("members lie where WGSL has them, and the struct's size is a multiple of its alignment", () => {
  const view = new UniformView(code, "shape");
  view.set({ dims: [1, 2, 3], count: 4, tiles: [5, -6], depth: -7, low: [0.5, 1.5, 2.5], last: 8.5 });
  view.set({ levels: [[1, 2, 3, 4], [5], [9, 10]] });
  expect(view.arrayBuffer.byteLength).toBe(112);
  const words = new Int32Array(view.arrayBuffer);
  expect([...words.subarray(0, 8)]).toEqual([1, 2, 3, 4, 5, -6, -7, 0]);
  const numbers = new Float32Array(view.arrayBuffer);
  expect([...numbers.subarray(8, 12)]).toEqual([0.5, 1.5, 2.5, 0]);
  expect([...numbers.subarray(12, 28)]).toEqual([1, 2, 3, 4, 5, 0, 0, 0, 9, 10, 0, 0, 8.5, 0, 0, 0]);
});

test("what is not named, undefined or no member leaves the others as they are", () => {
  const view = new UniformView(code, "shape");
  view.set({ count: 4, depth: 5 });
  view.set({ depth: 6, nothing: 7 });
  view.set({ count: undefined });
  expect([...new Int32Array(view.arrayBuffer)].filter((word) => word !== 0)).toEqual([4, 6]);
});

test("a type without a known layout and a missing uniform are told", () => {
  const matrix = "struct M {\n  m: mat4x4f,\n}\n@group(0) @binding(0) var<uniform> m: M;";
  expect(() => new UniformView(matrix, "m")).toThrow("mat4x4f");
  expect(() => new UniformView(code, "absent")).toThrow("no uniform absent");
});
