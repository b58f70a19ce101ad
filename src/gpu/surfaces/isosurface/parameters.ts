import { maxIsovalues } from "../../../core/layers.ts";
import type { Fragment } from "../../shader/fragment.ts";
import type { CellRangeParameters } from "../part/cell-range.ts";

/** The uniform that all kernels of an extraction share. */
export const parameters: Fragment = {
  name: "isosurface: parameters",
  code: /* wgsl */ `
struct Parameters {
  dims: vec3u,
  /** First word of the field's component, and of the colour's. */
  plane: u32,
  blocks: vec3u,
  color_plane: u32,
  /** First words of x, y and z in the coordinate tables. */
  axes: vec3u,
  /** Words from a coordinate to its inverse span. */
  to_inverse: u32,
  block_count: u32,
  vertex_capacity: u32,
  index_capacity: u32,
  /** Selected blocks that have a table. */
  block_capacity: u32,
  /** Of the field: see \`storedValue\`. */
  storage: u32,
  /** Where the list of ambiguous cells begins in the work buffer, and how many it holds. */
  first_open: u32,
  open_capacity: u32,
  /** The cells that the surface is made of, where it is not made of all. */
  first_cell: vec3u,
  cell_counts: vec3u,
  /** What values are compared to, and what rounding to it took from the isovalue. */
  isovalues: array<vec4f, ${maxIsovalues}>,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
`,
};

export interface IsosurfaceParameters extends CellRangeParameters {
  dims: readonly number[];
  plane: number;
  blocks: readonly number[];
  color_plane: number;
  axes: readonly number[];
  to_inverse: number;
  block_count: number;
  vertex_capacity: number;
  index_capacity: number;
  block_capacity: number;
  storage: number;
  first_open: number;
  open_capacity: number;
  isovalues: readonly (readonly number[])[];
}
