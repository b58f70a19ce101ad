import { CrinkleError } from "../../../../core/errors.ts";
import type { Plane } from "../../../../core/layers.ts";
import type { SoupNormals } from "../../../../core/marching-cubes/soup.ts";
import type { Topology } from "../../../../core/marching-cubes/topology.ts";
import type { TriangleMesh } from "../../../../core/mesh.ts";
import type { GpuContext } from "../../../device/context.ts";
import type { SurfaceEvents } from "../../surface/surface.ts";
import { IsosurfaceExtractor } from "../extractor.ts";
import { SoupPass } from "./soup-pass.ts";

class SoupExtractor extends IsosurfaceExtractor {
  #isClipped = false;

  override setClip(plane: Plane | undefined): void {
    super.setClip(plane);
    this.#isClipped = plane !== undefined;
  }

  override async readMesh(): Promise<TriangleMesh> {
    if (!this.#isClipped) return super.readMesh();
    throw new CrinkleError({
      tag: "BadArgument",
      problem: "Clipped surfaces are read back welded, and this one is not.",
      remedy: "Take the clip away first, or extract a welded surface.",
    });
  }
}

/**
 * Isosurfaces of three vertices for each triangle, in the order of their cells where they are read back. As drawn, its
 * indices number the vertices; the first four words of its draw are those of one without indices.
 */
export async function createSoupExtractor(
  gpu: GpuContext,
  normals: SoupNormals,
  events: SurfaceEvents = {},
  topology: Topology = "table",
): Promise<IsosurfaceExtractor> {
  const scope = gpu.scope();
  return new SoupExtractor(gpu, scope, await SoupPass.create(gpu, scope, normals, topology), events);
}
