import type { SoupNormals } from "../../../../core/marching-cubes/soup.ts";
import type { Topology } from "../../../../core/marching-cubes/topology.ts";
import type { GpuContext } from "../../../device/context.ts";
import type { SurfaceEvents } from "../../surface.ts";
import { IsosurfaceExtractor } from "../extractor.ts";
import { SoupPass } from "./soup-pass.ts";

/**
 * Isosurfaces of three vertices for each triangle, in the order of their cells where they are read back, which they are
 * unclipped alone. As drawn, its indices number the vertices; the first four words of its draw are those of one without
 * indices.
 */
export async function createSoupExtractor(
  gpu: GpuContext,
  normals: SoupNormals,
  events: SurfaceEvents = {},
  topology: Topology = "table",
): Promise<IsosurfaceExtractor> {
  const scope = gpu.scope();
  return new IsosurfaceExtractor(gpu, scope, await SoupPass.create(gpu, scope, normals, topology), events);
}
