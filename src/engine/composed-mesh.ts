import { composedClip } from "../algorithms/surfaces/clip.ts";
import { readSurface, surfaceOfMesh } from "../algorithms/surfaces/host-mesh.ts";
import { surfaceGrid } from "../algorithms/surfaces/surface-grid.ts";
import type { Field } from "../core/field.ts";
import type { Grid } from "../core/grid.ts";
import { checkCancelled, type JobContext, yieldToEventLoop } from "../core/job.ts";
import type { Plane, SurfaceShape } from "../core/layers.ts";
import type { TriangleMesh } from "../core/mesh.ts";
import { createCpuPrimitives } from "../cpu/primitives/cpu-primitives.ts";
import { centeringOffsets } from "../gpu/fields/upload.ts";
import { composedSurface, type LeveledValues, relativeTo } from "./composed-surface.ts";

/**
 * The surface of a slice, a threshold, or a cut by a plane or a sphere without a GPU: composed of primitives on the CPU,
 * its vertices shared. Throws BadArgument, TooLarge, Cancelled.
 */
export async function composedMesh(
  grid: Grid,
  shape: SurfaceShape,
  field: Field | undefined,
  color: Field | undefined,
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
  const surface = await composedSurface(p, on, shape, field && leveled(field), values ? [values] : []);
  await yieldTo(job);
  const mesh = await readSurface(p, surface, on.center);
  const { scalars } = mesh;
  return level === 0 ? mesh : { ...mesh, scalars: scalars?.map((value) => value + level) };
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
