import type { Bounds } from "../core/grid.ts";
import { type JobContext, unattended } from "../core/job.ts";
import { whyEmpty, whyNoSurface } from "../core/marching-cubes/preconditions.ts";
import type { SoupNormals } from "../core/marching-cubes/soup.ts";
import type { Topology } from "../core/marching-cubes/topology.ts";
import type { TriangleMesh } from "../core/mesh.ts";
import { meshBounds, surfaceArea } from "../core/mesh-measures.ts";
import { isosurface as isosurfaceOnCpu } from "../cpu/surfaces/isosurface.ts";
import type { GpuContext } from "../gpu/device/context.ts";
import { IsosurfaceExtractor } from "../gpu/surfaces/isosurface/extractor.ts";
import { quoteName, withoutQuotes } from "../lang/expression/syntax/quoting.ts";
import { nodeScalar } from "./node-scalar.ts";
import type { Session } from "./session.ts";

export interface IsosurfaceRequest {
  /** Expression of a scalar; cell-centred ones are moved to the nodes. */
  readonly field: string;
  readonly isovalue: number;
  readonly colorBy?: string;
  readonly topology?: Topology;
  /** Three vertices for each triangle with such normals, instead of vertices that triangles share. */
  readonly soup?: SoupNormals;
}

export interface IsosurfaceResult {
  readonly mesh: TriangleMesh;
  /** In squared length units of the grid. */
  readonly area: number;
  /** Undefined where the mesh is empty. */
  readonly bounds: Bounds | undefined;
  readonly notes: readonly string[];
}

/** The expression that is the field of that name. */
export function fieldExpression(name: string): string {
  return quoteName(name);
}

/** An expression as people read it: a name that stands alone without its quotes. */
export function titleOfExpression(expression: string): string {
  return withoutQuotes(expression);
}

/** The isosurface in physical units, from whichever device the session has; welded unless a soup is asked for. */
export async function isosurfaceMesh(
  session: Session,
  { field, isovalue, colorBy, topology = "table", soup }: IsosurfaceRequest,
  job: JobContext = unattended,
): Promise<IsosurfaceResult> {
  const contoured = await nodeScalar(session, field, job);
  try {
    const color = colorBy === undefined ? undefined : await nodeScalar(session, colorBy, job);
    try {
      const how = { isovalue, topology, soup };
      const mesh = await meshOf(session, contoured.value, color?.value, how, job);
      const { min, max } = contoured.statistics;
      const empty = whyNoSurface(session.data.dataSet.grid.dims) ?? whyEmpty(isovalue, min, max);
      const notes = [...contoured.notes, ...(color?.notes ?? []), ...(empty ? [empty] : [])];
      return { mesh, area: surfaceArea(mesh), bounds: meshBounds(mesh), notes };
    } finally {
      color?.release();
    }
  } finally {
    contoured.release();
  }
}

type NodeValue = Awaited<ReturnType<typeof nodeScalar>>["value"];

async function meshOf(
  session: Session,
  field: NodeValue,
  color: NodeValue | undefined,
  { isovalue, topology = "table", soup }: Pick<IsosurfaceRequest, "isovalue" | "topology" | "soup">,
  job: JobContext,
): Promise<TriangleMesh> {
  const { gpu } = session.device;
  const { grid } = session.data.dataSet;
  if (gpu && field.kind === "gpu" && color?.kind !== "host") {
    const extractor = await extractorOf(gpu, topology, soup);
    try {
      const tables = session.data.tables(gpu, "node");
      await extractor.setSource({ tables, field: field.field, color: color?.field });
      extractor.extract(isovalue);
      return await extractor.readMesh();
    } finally {
      extractor.dispose();
    }
  }
  const host = await session.download(field);
  const hostColor = color && (await session.download(color));
  const options = { color: hostColor, topology };
  if (!soup) return isosurfaceOnCpu(grid, host, isovalue, options, job);
  const { isosurfaceSoup } = await import("../cpu/surfaces/soup.ts");
  return isosurfaceSoup(grid, host, isovalue, soup, options, job);
}

async function extractorOf(
  gpu: GpuContext,
  topology: Topology,
  soup: SoupNormals | undefined,
): Promise<IsosurfaceExtractor> {
  if (!soup) return IsosurfaceExtractor.create(gpu, {}, topology);
  const { createSoupExtractor } = await import("../gpu/surfaces/isosurface/soup/extractor.ts");
  return createSoupExtractor(gpu, soup, {}, topology);
}
