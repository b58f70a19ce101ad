import type { Fragment } from "../../shader/fragment.ts";
import type { ColorParameters } from "../color-values.ts";
import type { CellRangeParameters } from "../part/cell-range.ts";

/**
 * The uniform of a cut's kernels, and the function whose zero set it is: n · (p − o) for a plane, (s r)² − |s (p − c)|²
 * for a sphere with a power of two s, which keeps squares in range. Facets face its lower values: against the plane's
 * normal, and out of the sphere. Terms are 0 exactly at the origin's coordinates.
 */
export const cutParameters: Fragment = {
  name: "cut: parameters",
  code: /* wgsl */ `
struct Parameters {
  dims: vec3u,
  block_count: u32,
  blocks: vec3u,
  is_sphere: u32,
  /** First words of x, y and z in the coordinate tables. */
  axes: vec3u,
  color_plane: u32,
  /** The plane's origin or the sphere's center, relative to the grid's center. */
  origin: vec3f,
  has_color: u32,
  /** The plane's normal, its largest component ±1; the sphere's scale, three times. */
  factors: vec3f,
  /** 0 for a plane, for a sphere the square of the scaled radius, negative. */
  level: f32,
  /** Of a plane's surface, of unit length. */
  normal: vec3f,
  vertex_capacity: u32,
  index_capacity: u32,
  /** The cells that are cut. */
  first_cell: vec3u,
  cell_counts: vec3u,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
`,
};

export interface CutParameters extends ColorParameters, CellRangeParameters {
  dims: readonly number[];
  block_count: number;
  blocks: readonly number[];
  is_sphere: number;
  axes: readonly number[];
  origin: readonly number[];
  factors: readonly number[];
  level: number;
  normal: readonly number[];
  vertex_capacity: number;
  index_capacity: number;
}

/** Needs the array `coordinates`. */
export const implicitValue: Fragment = {
  name: "implicit value",
  requires: [cutParameters],
  code: /* wgsl */ `
fn coordinate(axis: u32, i: u32) -> f32 {
  return coordinates[parameters.axes[axis] + i];
}

fn node_position(node: vec3u) -> vec3f {
  return vec3f(coordinate(0u, node.x), coordinate(1u, node.y), coordinate(2u, node.z));
}

/** What the value at a position is the sum of, but for the level. */
fn implicit_terms(position: vec3f) -> vec3f {
  let scaled = (position - parameters.origin) * parameters.factors;
  return select(scaled, -scaled * scaled, parameters.is_sphere != 0u);
}

fn implicit_value(position: vec3f) -> f32 {
  let terms = implicit_terms(position);
  return (terms.x + terms.y) + (terms.z - parameters.level);
}
`,
};
