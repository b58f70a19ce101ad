import { composedClip } from "../algorithms/surfaces/clip.ts";
import { readSurface, surfaceOfMesh } from "../algorithms/surfaces/host-mesh.ts";
import { surfaceGrid } from "../algorithms/surfaces/surface-grid.ts";
import { type Box, wholeBox } from "../core/box.ts";
import { isInBox, placeInBox } from "../core/box-values.ts";
import type { Field } from "../core/field.ts";
import { cellDims, type Grid } from "../core/grid.ts";
import { checkCancelled, type JobContext, yieldToEventLoop } from "../core/job.ts";
import type { Plane, SurfaceShape } from "../core/layers.ts";
import type { TriangleMesh } from "../core/mesh.ts";
import { trianglesWhere } from "../core/mesh-subset.ts";
import { type Steps, withPauses } from "../core/steps.ts";
import { createCpuPrimitives } from "../cpu/primitives/cpu-primitives.ts";
import { centeringOffsets } from "../gpu/fields/upload.ts";
import { composedSurface, type LeveledValues, relativeTo } from "./composed-surface.ts";

/**
 * The surface of a slice, a threshold, or a cut by a plane or a sphere without a GPU: composed of primitives on the CPU,
 * its vertices shared; of a box of the grid's cells alone, where one is given. Throws BadArgument, TooLarge, Cancelled.
 */
export async function composedMesh(
  grid: Grid,
  shape: SurfaceShape,
  field: Field | undefined,
  color: Field | undefined,
  cells: Box | undefined,
  job: JobContext,
): Promise<TriangleMesh> {
  const p = createCpuPrimitives();
  const on = surfaceGrid(p, grid);
  const leveled = (scalar: Field): LeveledValues => {
    const [level] = centeringOffsets(scalar);
    return { values: p.fromHost("f32", relativeTo(scalar, level)), level };
  };
  const { values, level } = color ? leveled(color) : { values: undefined, level: 0 };
  await yieldTo(job);
  const surface = await composedSurface(p, on, shape, field && leveled(field), values ? [values] : [], cells);
  await yieldTo(job);
  const whole = await readSurface(p, surface, on.center);
  const numbers = cells && surface.cells && (await p.toHost(surface.cells));
  const mesh = numbers ? await withPauses(ofCells(whole, numbers, grid, cells), job, "The surface") : whole;
  const { scalars } = mesh;
  return level === 0 ? mesh : { ...mesh, scalars: scalars?.map((value) => value + level) };
}

/** The triangles of a box of cells, by the number of each triangle's cell. */
function ofCells(mesh: TriangleMesh, numbers: Uint32Array, grid: Grid, cells: Box): Steps<TriangleMesh> {
  const all = wholeBox(cellDims(grid));
  return trianglesWhere(mesh, (triangle) => isInBox(cells, placeInBox(all, numbers[triangle])));
}

/** The part of a mesh on a plane's positive side, its vertices shared. Throws BadArgument, Cancelled. */
export async function clippedMesh(mesh: TriangleMesh, plane: Plane, job: JobContext): Promise<TriangleMesh> {
  const p = createCpuPrimitives();
  await yieldTo(job);
  const clipped = await composedClip(p, surfaceOfMesh(p, mesh), plane, [0, 0, 0], { isWelded: true });
  return readSurface(p, clipped, [0, 0, 0]);
}

async function yieldTo(job: JobContext): Promise<void> {
  await yieldToEventLoop();
  checkCancelled(job, "The surface");
}
