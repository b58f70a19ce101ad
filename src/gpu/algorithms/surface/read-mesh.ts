import { vertexBytes } from "../../../core/marching-cubes/surface-records.ts";
import { weld } from "../../../core/marching-cubes/weld.ts";
import { emptyMesh, type TriangleMesh } from "../../../core/mesh.ts";
import type { GpuContext } from "../../device/context.ts";
import { readBytes } from "../../device/transfer.ts";
import type { Capacity } from "./capacity.ts";
import type { SurfaceBuffers } from "./surface-buffers.ts";
import { type SurfaceBase, scalarOffset } from "./surface-source.ts";

/** Copies a surface back and welds it. Both copies are submitted before this returns to its caller. */
export async function readMesh(
  gpu: GpuContext,
  source: SurfaceBase,
  surface: SurfaceBuffers,
  count: Capacity,
): Promise<TriangleMesh> {
  if (count.indices === 0) return emptyMesh;
  const [vertices, indices] = await Promise.all([
    readBytes(gpu, surface.vertices, 0, count.vertices * vertexBytes),
    readBytes(gpu, surface.indices, 0, count.indices * 4),
  ]);
  return weld(
    { vertices, indices: new Uint32Array(indices) },
    { center: source.tables.center, scalarOffset: source.color ? scalarOffset(source) : undefined },
  );
}
