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

/** Coordinates relative to the grid's centre. */
const positionOf = (centering: Centering): Fragment => ({
  name: `position of a ${centering}`,
  requires: [extents],
  code: /* wgsl */ `
fn ${centering}_position(p: vec3i) -> vec3f {
  let d = extents.${centering}_dims;
  return vec3f(${centering}_tables[p.x], ${centering}_tables[d.x + p.y], ${centering}_tables[d.x + d.y + p.z]);
}
`,
});

/** The tables of `GridTables` by axis. */
const metricOf = (centering: Centering): Fragment => ({
  name: `spans and steps of ${centering}s`,
  requires: [extents],
  code: /* wgsl */ `
fn inverse_span(axis: i32, i: i32) -> f32 {
  let d = extents.${centering}_dims;
  return ${centering}_tables[d.x + d.y + d.z + vec3i(0, d.x, d.x + d.y)[axis] + i];
}

fn inverse_step(axis: i32, i: i32) -> f32 {
  let d = extents.${centering}_dims;
  return ${centering}_tables[2 * (d.x + d.y + d.z) + vec3i(0, d.x, d.x + d.y)[axis] + i];
}
`,
});

/** Widths of a cell; 0 along flat directions. */
export const cellSize: Fragment = {
  name: "size of a cell",
  requires: [extents],
  code: /* wgsl */ `
fn cell_size(p: vec3i) -> vec3f {
  let d = extents.node_dims;
  let steps = p + vec3i(0, d.x, d.x + d.y) + 2 * (d.x + d.y + d.z);
  let inverse = vec3f(node_tables[steps.x], node_tables[steps.y], node_tables[steps.z]);
  return select(1.0 / inverse, vec3f(0.0), inverse == vec3f(0.0));
}
`,
};

const both = <T>(make: (centering: Centering) => T): Record<Centering, T> => ({
  node: make("node"),
  cell: make("cell"),
});

export const index = both(indexOf);
export const position = both(positionOf);
export const metric = both(metricOf);
