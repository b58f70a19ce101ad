import type { Box } from "../../core/box.ts";
import { CrinkleError } from "../../core/errors.ts";
import type { Field } from "../../core/field.ts";
import { type Grid, gridCenter, type Triple } from "../../core/grid.ts";
import { checkCancelled, type JobContext, noJob, yieldToEventLoop } from "../../core/job.ts";
import {
  requireIsovalue,
  requireNodeComponent,
  whyNoSurface,
} from "../../core/marching-cubes/preconditions.ts";
import type { SurfaceRecords } from "../../core/marching-cubes/surface-records.ts";
import type { Topology } from "../../core/marching-cubes/topology.ts";
import { maxInner } from "../../core/marching-cubes/trilinear/patch.ts";
import { type EdgeMesh, welding } from "../../core/marching-cubes/weld.ts";
import { withPauses } from "../../core/steps.ts";
import { Contour } from "./contour.ts";

export interface IsosurfaceOptions {
  /** Which component of the field is contoured. */
  readonly component?: number;
  /** A node-centred field of the same grid that gives the mesh its scalars. */
  readonly color?: Field;
  readonly colorComponent?: number;
  /** "table" by default. */
  readonly topology?: Topology;
  /** A box of the grid's cells that the surface is made of; all of them by default. */
  readonly cells?: Box;
}

/** How long the loop runs before other events are let in. */
const sliceMilliseconds = 30;

/**
 * The isosurface of a node-centred field by marching cubes, welded, in physical units: the reference for the GPU's, and
 * what runs without one: slice by slice, which is three to five times as fast on a CPU as the same surface composed of
 * primitives (`composedIsosurface`). A node is above where its value is strictly greater than the isovalue; cells with a
 * corner that is not finite are skipped. Facets face lower values; normals point against the gradient. A grid that is flat
 * in some direction gives the empty mesh (`whyNoSurface` says why). Throws BadArgument, TooLarge, Cancelled.
 */
export async function isosurface(
  grid: Grid,
  field: Field,
  isovalue: number,
  options: IsosurfaceOptions = {},
  job: JobContext = noJob,
): Promise<EdgeMesh> {
  const records = await isosurfaceRecords(grid, field, isovalue, options, job);
  const welded = welding(records, { center: gridCenter(grid), scalarOffset: options.color ? 0 : undefined });
  return withPauses(welded, job, "The isosurface");
}

/**
 * The same as it is made: positions relative to the middle of the grid's bounds, and vertices of grid edges that no triangle
 * may use. None on a grid that is flat in some direction.
 */
export async function isosurfaceRecords(
  grid: Grid,
  field: Field,
  isovalue: number,
  options: IsosurfaceOptions,
  job: JobContext,
): Promise<SurfaceRecords> {
  check(field, isovalue, options);
  const { component = 0, color, colorComponent = 0, topology = "table", cells } = options;
  if (whyNoSurface(grid.dims)) return { vertices: new ArrayBuffer(0), indices: new Uint32Array(0) };
  if (topology === "trilinear") requireInnerIds(grid.dims);
  const { AmbiguousCells } = topology === "trilinear" ? await import("./ambiguous-cells.ts") : {};
  const center = gridCenter(grid);
  const contour = new Contour({
    grid,
    field,
    component,
    isovalue,
    center,
    color,
    colorComponent,
    cells,
    ambiguousCells: AmbiguousCells && ((input) => new AmbiguousCells(input)),
  });
  const nz = grid.dims[2];
  let resumed = performance.now();
  for (let k = 0; k < nz; k++) {
    contour.addSlice(k);
    if (performance.now() - resumed < sliceMilliseconds) continue;
    job.progress(k / nz, "Contouring");
    await yieldToEventLoop();
    checkCancelled(job, "The isosurface");
    resumed = performance.now();
  }
  return contour.finish();
}

function check(field: Field, isovalue: number, options: IsosurfaceOptions): void {
  const { component = 0, color, colorComponent = 0 } = options;
  requireIsovalue(isovalue);
  requireNodeComponent(field, component, "an isosurface");
  if (color) requireNodeComponent(color, colorComponent, "its colour");
}

/** Vertices inside cells are numbered beyond those of the grid's edges. */
function requireInnerIds([nx, ny, nz]: Triple): void {
  if ((3 + maxInner) * nx * ny * nz <= 2 ** 32) return;
  throw new CrinkleError({
    tag: "TooLarge",
    problem: `A grid of ${nx} × ${ny} × ${nz} points has too many edges and cells to number.`,
    remedy: "Take the isosurface without the trilinear topology, or of a part of the grid.",
  });
}
