import type { Box } from "../core/box.ts";
import type { Field } from "../core/field.ts";
import type { Bounds, Grid } from "../core/grid.ts";
import { type JobContext, noJob } from "../core/job.ts";
import { joinEdgeMeshes } from "../core/join-edge-meshes.ts";
import { joinMeshes } from "../core/join-meshes.ts";
import type { Plane, SurfaceShape } from "../core/layers.ts";
import { whyEmpty, whyNoSurface } from "../core/marching-cubes/preconditions.ts";
import type { SoupNormals } from "../core/marching-cubes/soup.ts";
import type { EdgeMesh, MaybeEdgeMesh } from "../core/marching-cubes/weld.ts";
import type { TriangleMesh } from "../core/mesh.ts";
import { measuringArea, meshBounds } from "../core/mesh-measures.ts";
import { withPauses } from "../core/steps.ts";
import { isosurface } from "../cpu/surfaces/isosurface.ts";
import type { GpuContext } from "../gpu/device/context.ts";
import { checkPlane } from "../gpu/surfaces/plane.ts";
import { quoteName, withoutQuotes } from "../lang/expression/syntax/quoting.ts";
import type { FieldValue } from "./derived.ts";
import {
  createShapeSurface,
  evaluateShape,
  isovaluesOf,
  type ShapeField,
  surfaceKind,
  topologyOf,
} from "./layers/shape-surface.ts";
import { type NodeScalar, nodeScalar } from "./node-scalar.ts";
import type { Session } from "./session.ts";

export interface SurfaceRequest {
  readonly shape: SurfaceShape;
  /** Expression of a scalar to give each vertex. */
  readonly colorBy?: string;
  /** Keeps only the plane's positive side. */
  readonly clip?: Plane;
  /** The box of the grid's cells that the surface is made of; all of them where it is left out. Not of a soup. */
  readonly cells?: Box;
  /**
   * For unclipped isosurfaces only: three vertices for each triangle, with normals of this kind, instead of shared
   * vertices.
   */
  readonly soup?: SoupNormals;
}

export interface SurfaceResult {
  readonly mesh: MaybeEdgeMesh;
  /** In squared length units of the grid. */
  readonly area: number;
  /** Undefined if the mesh is empty. */
  readonly bounds: Bounds | undefined;
  readonly notes: readonly string[];
}

/** The expression for the field of that name. */
export function fieldExpression(name: string): string {
  return quoteName(name);
}

/** An expression for display: a single name loses its quotes. */
export function titleOfExpression(expression: string): string {
  return withoutQuotes(expression);
}

/**
 * A surface in physical units, from whichever device the session has; its vertices are shared unless a soup is asked for.
 * Throws what evaluating the expressions throws, BadArgument, TooLarge, OutOfMemory, DeviceLost, Cancelled.
 */
export async function surfaceMesh(
  session: Session,
  request: SurfaceRequest,
  job: JobContext = noJob,
): Promise<SurfaceResult> {
  const [made] = await surfacesOf(session, request, [request.shape], job);
  return made;
}

/** The isosurface of each isovalue by itself, in their order. Expressions are evaluated once. Throws what `surfaceMesh` throws. */
export async function isosurfaceMeshes(
  session: Session,
  { shape, ...request }: SurfaceRequest & { readonly shape: Extract<SurfaceShape, { kind: "isosurface" }> },
  job: JobContext = noJob,
): Promise<readonly SurfaceResult[]> {
  const shapes = shape.isovalues.map((isovalue) => ({ ...shape, isovalues: [isovalue] }));
  return surfacesOf(session, { ...request, shape }, shapes, job);
}

/** Surfaces that differ from the request's in what needs no other field. */
async function surfacesOf(
  session: Session,
  request: SurfaceRequest,
  shapes: readonly SurfaceShape[],
  job: JobContext,
): Promise<SurfaceResult[]> {
  const { shape, colorBy, clip } = request;
  if (clip) checkPlane(clip);
  const field = await evaluateShape(session, shape, job);
  try {
    const color = colorBy === undefined ? undefined : await nodeScalar(session, colorBy, job);
    try {
      const made: SurfaceResult[] = [];
      for (const each of shapes)
        made.push(await surfaceOf(session, field, color, { ...request, shape: each }, job));
      return made;
    } finally {
      color?.release();
    }
  } finally {
    field?.release();
  }
}

async function surfaceOf(
  session: Session,
  field: ShapeField | undefined,
  color: NodeScalar | undefined,
  request: SurfaceRequest,
  job: JobContext,
): Promise<SurfaceResult> {
  const { gpu } = session.device;
  const isOnHost = [field, color].some((scalar) => scalar?.value.kind === "host");
  const mesh = await (gpu && !isOnHost
    ? meshOnGpu(session, gpu, field, color, request)
    : meshOnHost(session, field, color, request, job));
  const empty = whyNoSurface(session.data.dataSet.grid.dims) ?? whyNothing(request.shape, field);
  const notes = [...(field?.notes ?? []), ...(color?.notes ?? []), ...(empty ? [empty] : [])];
  const area = await withPauses(measuringArea(mesh), job, "The surface");
  return { mesh, area, bounds: meshBounds(mesh), notes: [...new Set(notes)] };
}

async function meshOnGpu(
  session: Session,
  gpu: GpuContext,
  field: ShapeField | undefined,
  color: NodeScalar | undefined,
  { shape, clip, soup, cells }: SurfaceRequest,
): Promise<TriangleMesh> {
  const surface = await createShapeSurface(gpu, surfaceKind(shape), {}, soup ? { soup } : { cells });
  try {
    await surface.setSource(session, gpu, field, color);
    surface.extractor.setClip(clip);
    surface.extract(shape, undefined);
    return await surface.extractor.readMesh();
  } finally {
    surface.extractor.dispose();
  }
}

/** Isosurfaces by the loop over cells, other surfaces and clips composed of primitives. */
async function meshOnHost(
  session: Session,
  shapeField: ShapeField | undefined,
  shapeColor: NodeScalar | undefined,
  request: SurfaceRequest,
  job: JobContext,
): Promise<MaybeEdgeMesh> {
  const { shape, clip } = request;
  const { grid } = session.data.dataSet;
  const field = shapeField && (await session.download(hostValue(shapeField)));
  const color = shapeColor && (await session.download(shapeColor.value));
  const isContour = field !== undefined && shape.kind !== "threshold";
  if (isContour && !clip) return contours(grid, field, color, request, job);
  const { clippedMesh, composedMesh } = await import("./composed-mesh.ts");
  const mesh = isContour
    ? await contours(grid, field, color, request, job)
    : await composedMesh(grid, shape, field, color, request.cells, job);
  return clip ? clippedMesh(mesh, clip, job) : mesh;
}

async function contours(
  grid: Grid,
  field: Field,
  color: Field | undefined,
  { shape, soup, cells }: SurfaceRequest,
  job: JobContext,
): Promise<MaybeEdgeMesh> {
  const options = { color, topology: topologyOf(shape), cells };
  if (soup) {
    const { isosurfaceSoup } = await import("../cpu/surfaces/soup.ts");
    const soups: TriangleMesh[] = [];
    for (const isovalue of isovaluesOf(shape))
      soups.push(await isosurfaceSoup(grid, field, isovalue, soup, options, job));
    return joinMeshes(soups);
  }
  const meshes: EdgeMesh[] = [];
  for (const isovalue of isovaluesOf(shape))
    meshes.push(await isosurface(grid, field, isovalue, options, job));
  return joinEdgeMeshes(meshes);
}

/** Only GPU sessions hold fields in their stored type. */
function hostValue({ value, text }: ShapeField): FieldValue {
  if (value.kind !== "stored") return value;
  throw new TypeError(`“${text}” is on the GPU.`);
}

/** Why a surface is empty, if its field's range explains it. */
function whyNothing(shape: SurfaceShape, field: ShapeField | undefined): string | undefined {
  const isovalues = isovaluesOf(shape);
  if (!field || isovalues.length === 0) return undefined;
  const { min, max } = field.statistics;
  const reasons = isovalues.map((isovalue) => whyEmpty(isovalue, min, max));
  return reasons.every((reason) => reason !== undefined) ? reasons[0] : undefined;
}
