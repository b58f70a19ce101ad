import type { Centering, Triple } from "../../../../core/grid.ts";
import type { Fragment } from "../../../../gpu/shader/fragment.ts";

/** The members of the uniform `extents`. */
export interface Extents {
  node_dims: Triple;
  node_count: number;
  cell_dims: Triple;
  cell_count: number;
  tiles: readonly [number, number];
  depth: number;
  center: Triple;
  first: Triple;
  whole: Triple;
  low: Triple;
  high: Triple;
}

export const extents: Fragment = {
  name: "extents",
  code: /* wgsl */ `
struct Extents {
  node_dims: vec3i,
  node_count: u32,
  cell_dims: vec3i,
  cell_count: u32,
  // Tiles along x and y, and planes that a tile walks along z.
  tiles: vec2u,
  depth: u32,
  // The point that table coordinates are relative to.
  center: vec3f,
  // Always 0, which compilers cannot know.
  zero: f32,
  // The grid's first node in the whole that it is a part of, the whole's nodes along each direction, and its bounds.
  first: vec3i,
  whole: vec3i,
  low: vec3f,
  high: vec3f,
}

@group(0) @binding(0) var<uniform> extents: Extents;
`,
};

const indexOf = (centering: Centering): Fragment => ({
  name: `index of a ${centering}`,
  requires: [extents],
  code: /* wgsl */ `
fn ${centering}_index(p: vec3i) -> u32 {
  return u32(p.x + extents.${centering}_dims.x * (p.y + extents.${centering}_dims.y * p.z));
}
`,
});

/** The tables of `GridTables` along an axis; coordinates are relative to the grid's centre. */
const tableOf =
  (name: string, part: 0 | 1 | 2) =>
  (centering: Centering): Fragment => ({
    name: `${name} of ${centering}s`,
    requires: [extents],
    code: /* wgsl */ `
fn ${centering}_${name}(axis: i32, i: i32) -> f32 {
  let d = extents.${centering}_dims;
  return ${centering}_tables[${part === 0 ? "" : `${part === 1 ? "" : `${part} * `}(d.x + d.y + d.z) + `}vec3i(0, d.x, d.x + d.y)[axis] + i];
}
`,
  });

const both = <T>(make: (centering: Centering) => T): Record<Centering, T> => ({
  node: make("node"),
  cell: make("cell"),
});

export const index = both(indexOf);

export const tables = {
  coordinate: both(tableOf("coordinate", 0)),
  inverse_span: both(tableOf("inverse_span", 1)),
  inverse_step: both(tableOf("inverse_step", 2)),
} as const;

/** The number of an element's word in a plane of an array. */
export function planeAt(at: string, plane: number, centering: Centering): string {
  return plane === 0 ? at : `${at} + ${plane === 1 ? "" : `${plane}u * `}extents.${centering}_count`;
}
