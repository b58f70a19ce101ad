import type { Triple } from "../../../core/grid.ts";
import { maxTriangles } from "../../../core/marching-cubes/table.ts";
import type { Fragment } from "../../shader/fragment.ts";

/**
 * Cells of a block, the unit of work, and points that it owns: a workgroup makes each cut edge that begins at one of
 * them one vertex.
 */
export const blockCells: Triple = [8, 4, 4];

const product = ([x, y, z]: Triple) => x * y * z;
const plus = ([x, y, z]: Triple, n: number): Triple => [x + n, y + n, z + n];

/** Blocks along each direction that cover a grid's points; none of a grid that has no cells. */
export function blockDims(dims: Triple): Triple {
  if (dims.some((n) => n < 2)) return [0, 0, 0];
  return dims.map((n, axis) => Math.ceil(n / blockCells[axis])) as unknown as Triple;
}

const wgslTriple = ([x, y, z]: Triple) => `vec3u(${x}u, ${y}u, ${z}u)`;

/** The extents of blocks as WGSL constants, and the numbering of their points. */
export const blockLayout: Fragment = {
  name: "block layout",
  code: /* wgsl */ `
const block_cells = ${wgslTriple(blockCells)};
const cell_count = ${product(blockCells)}u;
const block_points = ${wgslTriple(plus(blockCells, 1))};
const point_count = ${product(plus(blockCells, 1))}u;
const max_block_triangles = ${product(blockCells) * maxTriangles}u;

fn position_of(number: u32, extents: vec3u) -> vec3u {
  return vec3u(number % extents.x, number / extents.x % extents.y, number / (extents.x * extents.y));
}

fn number_of(position: vec3u, extents: vec3u) -> u32 {
  return position.x + extents.x * (position.y + extents.y * position.z);
}
`,
};
