import type { Field } from "../../core/field.ts";
import { type Grid, gridCenter } from "../../core/grid.ts";
import { type JobContext, noJob } from "../../core/job.ts";
import { type SoupNormals, soup } from "../../core/marching-cubes/soup.ts";
import type { TriangleMesh } from "../../core/mesh.ts";
import { type IsosurfaceOptions, isosurfaceRecords } from "./isosurface.ts";

/** As `isosurface`, with three vertices for each triangle, which share none; triangles in the order of their cells. */
export async function isosurfaceSoup(
  grid: Grid,
  field: Field,
  isovalue: number,
  normals: SoupNormals,
  options: IsosurfaceOptions = {},
  job: JobContext = noJob,
): Promise<TriangleMesh> {
  const records = await isosurfaceRecords(grid, field, isovalue, options, job);
  const scalarOffset = options.color ? 0 : undefined;
  const { edges, ...mesh } = soup(records, { center: gridCenter(grid), scalarOffset }, normals);
  return mesh;
}
