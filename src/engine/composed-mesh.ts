import { composedClip } from "../algorithms/surfaces/clip.ts";
import { composedCut } from "../algorithms/surfaces/cut.ts";
import { readSurface, surfaceOfMesh } from "../algorithms/surfaces/host-mesh.ts";
import { composedSlice } from "../algorithms/surfaces/slice.ts";
import type { Surface } from "../algorithms/surfaces/surface.ts";
import { type SurfaceGrid, surfaceGrid } from "../algorithms/surfaces/surface-grid.ts";
import { composedThreshold } from "../algorithms/surfaces/threshold.ts";
import type { Field } from "../core/field.ts";
import type { Grid } from "../core/grid.ts";
import { checkCancelled, type JobContext, yieldToEventLoop } from "../core/job.ts";
import type { LayerShape, Plane } from "../core/layers.ts";
import type { TriangleMesh } from "../core/mesh.ts";
import type { Primitives } from "../core/primitives/primitives.ts";
import type { Vector } from "../core/primitives/vector.ts";
import { createCpuPrimitives } from "../cpu/primitives/cpu-primitives.ts";
import { centeringOffsets } from "../gpu/fields/upload.ts";

/**
 * The surface of a slice, a threshold, or a cut by a plane or a sphere without a GPU: composed of primitives on the CPU,
 * its vertices shared. Throws BadArgument, TooLarge, Cancelled.
 */
export async function composedMesh(
  grid: Grid,
  shape: LayerShape,
  field: Field | undefined,
  color: Field | undefined,
  job: JobContext,
): Promise<TriangleMesh> {
  const p = createCpuPrimitives();
  const on = surfaceGrid(p, grid);
  const [level] = color ? centeringOffsets(color.data, 1) : [0];
  const fields = color ? [p.fromHost("f32", relativeTo(color, level))] : [];
  await yieldTo(job);
  const surface = await composed(p, on, shape, field, fields);
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

function composed(
  p: Primitives,
  on: SurfaceGrid,
  shape: LayerShape,
  field: Field | undefined,
  fields: readonly Vector<"f32">[],
): Promise<Surface> {
  const request = { fields, isWelded: true };
  if (shape.kind === "slice") return composedSlice(p, on, shape, request);
  if (shape.kind === "cut" && shape.by.kind !== "expression") return composedCut(p, on, shape.by, request);
  if (shape.kind === "threshold" && field) {
    const [level] = centeringOffsets(field.data, 1);
    const [low, high] = shape.range;
    const values = p.fromHost("f32", relativeTo(field, level));
    return composedThreshold(p, on, values, [low - level, high - level], request);
  }
  throw new TypeError(`A surface of the kind ${shape.kind} is not composed.`);
}

/** A scalar's values as f32, less a level whose digits would exceed f32. */
function relativeTo({ data }: Field, level: number): Float32Array {
  if (data instanceof Float32Array) return data;
  return Float32Array.from(data as ArrayLike<number | bigint>, (value) => Number(value) - level);
}

async function yieldTo(job: JobContext): Promise<void> {
  await yieldToEventLoop();
  checkCancelled(job, "The surface");
}
