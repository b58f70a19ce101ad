import { CrinkleError } from "./errors.ts";

/** Three numbers along x, y and z; x varies fastest in memory. */
export type Triple = readonly [number, number, number];

/** Where a grid lies in a larger one that it was cut from. */
export interface GridPart {
  /** The part's first node, counted along each direction of the whole. */
  readonly first: Triple;
  /** The whole's nodes along each direction, and its bounds. */
  readonly dims: Triple;
  readonly bounds: Bounds;
}

/** A grid whose nodes lie at `origin + index · spacing`. `dims` counts nodes; a direction of one node is flat. */
export interface UniformGrid {
  readonly kind: "uniform";
  readonly dims: Triple;
  readonly origin: Triple;
  readonly spacing: Triple;
  readonly part?: GridPart;
}

/** A grid whose node coordinates along each direction are listed, strictly increasing. */
export interface RectilinearGrid {
  readonly kind: "rectilinear";
  readonly dims: Triple;
  readonly axes: readonly [Float64Array, Float64Array, Float64Array];
  readonly part?: GridPart;
}

export type Grid = UniformGrid | RectilinearGrid;

/** Where a field's values sit: on the grid's nodes, or in the middle of its cells. */
export type Centering = "node" | "cell";

export function nodeCount(grid: Grid): number {
  return grid.dims[0] * grid.dims[1] * grid.dims[2];
}

/** Cells along each direction. A flat direction counts one layer, as in VTK. */
export function cellDims(grid: Grid): Triple {
  const [nx, ny, nz] = grid.dims;
  return [Math.max(nx - 1, 1), Math.max(ny - 1, 1), Math.max(nz - 1, 1)];
}

/** The extents of an array with this centring. */
export function valueDims(grid: Grid, centering: Centering): Triple {
  return centering === "node" ? grid.dims : cellDims(grid);
}

export function valueCount(grid: Grid, centering: Centering): number {
  const [nx, ny, nz] = valueDims(grid, centering);
  return nx * ny * nz;
}

/** How many directions have more than one node: 0 to 3. */
export function dimensionality(grid: Grid): number {
  return grid.dims.filter((n) => n > 1).length;
}

/** Node coordinates along direction `axis` (0, 1 or 2); of a part, those that its nodes have in the whole, to the bit. */
export function nodeCoordinates(grid: Grid, axis: number): Float64Array {
  if (grid.kind === "rectilinear") return grid.axes[axis];
  const [first, start] = grid.part
    ? [grid.part.first[axis], grid.part.bounds[2 * axis]]
    : [0, grid.origin[axis]];
  const coordinates = new Float64Array(grid.dims[axis]);
  for (let i = 0; i < coordinates.length; i++) coordinates[i] = start + (first + i) * grid.spacing[axis];
  return coordinates;
}

/** Coordinates along `axis` at which values of the given centring sit. */
export function valueCoordinates(grid: Grid, centering: Centering, axis: number): Float64Array {
  const nodes = nodeCoordinates(grid, axis);
  if (centering === "node" || nodes.length === 1) return nodes;
  const centers = new Float64Array(nodes.length - 1);
  for (let i = 0; i < centers.length; i++) centers[i] = 0.5 * (nodes[i] + nodes[i + 1]);
  return centers;
}

/** Where value number `index` (x fastest) sits, in physical units. */
export function valuePosition(grid: Grid, centering: Centering, index: number): Triple {
  const [nx, ny] = valueDims(grid, centering);
  const places = [index % nx, Math.floor(index / nx) % ny, Math.floor(index / (nx * ny))];
  const [x, y, z] = places.map((place, axis) => valueCoordinates(grid, centering, axis)[place]);
  return [x, y, z];
}

/** [xmin, xmax, ymin, ymax, zmin, zmax] in physical units. */
export type Bounds = readonly [number, number, number, number, number, number];

/** What coordinates along an axis lie between. */
export function axisRange(bounds: Bounds, axis: number): { readonly min: number; readonly max: number } {
  return { min: bounds[2 * axis], max: bounds[2 * axis + 1] };
}

export function gridBounds(grid: Grid): Bounds {
  const out: number[] = [];
  for (let axis = 0; axis < 3; axis++) {
    const c = nodeCoordinates(grid, axis);
    out.push(Math.min(c[0], c[c.length - 1]), Math.max(c[0], c[c.length - 1]));
  }
  return out as unknown as Bounds;
}

/** The grid's place in the whole; the whole's own is at 0. */
export function gridPart(grid: Grid): GridPart {
  return grid.part ?? { first: [0, 0, 0], dims: grid.dims, bounds: gridBounds(grid) };
}

/** The middle of the bounds of the whole: what coordinates in f32 are relative to, the same in all parts. */
export function gridCenter(grid: Grid): Triple {
  const b = gridPart(grid).bounds;
  return [0.5 * (b[0] + b[1]), 0.5 * (b[2] + b[3]), 0.5 * (b[4] + b[5])];
}

/** Throws BadFile unless the extents are positive integers and coordinates are finite and strictly monotone. */
export function validateGrid(grid: Grid, what: string): void {
  for (let axis = 0; axis < 3; axis++) {
    const n = grid.dims[axis];
    if (!Number.isInteger(n) || n < 1) {
      throw new CrinkleError({
        tag: "BadFile",
        problem: `${what} has ${n} points along ${"xyz"[axis]}.`,
        remedy: "Each direction needs at least one point.",
      });
    }
    if (grid.kind === "uniform") {
      const h = grid.spacing[axis];
      if (!Number.isFinite(grid.origin[axis]) || !Number.isFinite(h) || (n > 1 && h <= 0)) {
        throw new CrinkleError({
          tag: "BadFile",
          problem: `${what} has origin ${grid.origin[axis]} and spacing ${h} along ${"xyz"[axis]}.`,
          remedy: "The spacing must be a positive number.",
        });
      }
    } else {
      const c = grid.axes[axis];
      if (c.length !== n) {
        throw new CrinkleError({
          tag: "BadFile",
          problem: `${what} lists ${c.length} coordinates along ${"xyz"[axis]} for ${n} points.`,
        });
      }
      for (let i = 0; i < n; i++) {
        if (!Number.isFinite(c[i]) || (i > 0 && c[i] <= c[i - 1])) {
          throw new CrinkleError({
            tag: "BadFile",
            problem: `${what} has the coordinate ${c[i]} at position ${i} along ${"xyz"[axis]}.`,
            remedy: "Coordinates must be finite and increase.",
          });
        }
      }
    }
  }
}
