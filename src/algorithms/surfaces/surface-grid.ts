import { type Grid, gridCenter, nodeCoordinates, type Triple } from "../../core/grid.ts";
import type { ConstantValues } from "../../core/primitives/access.ts";
import { badArgument } from "../../core/primitives/checks.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import type { Vector } from "../../core/primitives/vector.ts";
import { caseTableWords } from "./case-table.ts";

/** A grid as kernels see it. */
export interface SurfaceGrid {
  readonly grid: Grid;
  /** x, then y, then z of the nodes, relative to `center`. */
  readonly coordinates: Vector<"f32">;
  /** The case table of marching cubes: with the grid, so that a surface sends its isovalues alone. */
  readonly cases: Vector<"u32">;
  /** The middle of the grid's bounds; kept apart, so that far-away origins cost no precision. */
  readonly center: Triple;
  readonly constants: GridConstants;
  release(): void;
}

/** Constants of every kernel over a grid. Nodes are numbered x fastest, a cell as its first node. */
export interface GridConstants {
  readonly dims: Triple;
  /** From a node to the next one along y, and along z. */
  readonly row: number;
  readonly slice: number;
}

export const gridConstants = {
  dims: { type: "u32", components: 3 },
  row: { type: "u32" },
  slice: { type: "u32" },
} as const;

/** From a cell's first node to its last. */
export const lastCorner = ({ row, slice }: ConstantValues): number => 1 + Number(row) + Number(slice);

export function surfaceGrid(p: Primitives, grid: Grid): SurfaceGrid {
  const center = gridCenter(grid);
  const axes = center.map((middle, axis) => nodeCoordinates(grid, axis).map((x) => x - middle));
  const coordinates = p.fromHost("f32", Float32Array.from(axes.flatMap((axis) => [...axis])));
  const cases = p.fromHost("u32", caseTableWords());
  const [nx, ny] = grid.dims;
  return {
    grid,
    coordinates,
    cases,
    center,
    constants: { dims: grid.dims, row: nx, slice: nx * ny },
    release: () => {
      coordinates.release();
      cases.release();
    },
  };
}

/** Throws BadArgument unless each vector has a value for each node; says how many these are. */
export function checkNodes(what: string, { grid: { dims } }: SurfaceGrid, fields: readonly Vector[]): number {
  const nodes = dims[0] * dims[1] * dims[2];
  for (const { length } of fields) {
    if (length === nodes) continue;
    throw badArgument(
      `${what} was asked for with ${length} values on a grid of ${nodes} nodes.`,
      "Fields have a value for each node.",
    );
  }
  return nodes;
}

/** Text: a node's indices along the axes. */
export const indicesOf = `
fn indices_of(node: u32) -> vec3u {
  let rows = node / constants.row;
  let k = rows / constants.dims.y;
  return vec3u(node - rows * constants.row, rows - k * constants.dims.y, k);
}
`;

/** Text: where the node with these indices is. Needs an input `coordinates`. */
export const pointAt = `
fn point(node: vec3u) -> vec3f {
  let dims = constants.dims;
  return vec3f(coordinates(node.x), coordinates(dims.x + node.y), coordinates(dims.x + dims.y + node.z));
}
`;
