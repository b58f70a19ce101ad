import { vertexBytes } from "../../../core/marching-cubes/surface-records.ts";
import { weld } from "../../../core/marching-cubes/weld.ts";
import { emptyMesh, joinMeshes, type TriangleMesh } from "../../../core/mesh.ts";
import type { GpuContext } from "../../device/context.ts";
import { readBytes } from "../../device/transfer.ts";
import type { Capacity } from "./capacity.ts";
import type { SurfaceBuffers } from "./surface-buffers.ts";
import { type SurfaceBase, scalarOffset } from "./surface-source.ts";

/**
 * Copies a surface back and welds it part by part; `ends` says where the parts end. The copies are submitted before this
 * returns to its caller.
 */
export async function readMesh(
  gpu: GpuContext,
  source: SurfaceBase,
  surface: SurfaceBuffers,
  count: Capacity,
  partEnds: Promise<readonly Capacity[]> = Promise.resolve([count]),
): Promise<TriangleMesh> {
  if (count.indices === 0) return emptyMesh;
  const [vertices, words, ends] = await Promise.all([
    readBytes(gpu, surface.vertices, 0, count.vertices * vertexBytes),
    readBytes(gpu, surface.indices, 0, count.indices * 4),
    partEnds,
  ]);
  const options = {
    center: source.tables.center,
    scalarOffset: source.color ? scalarOffset(source) : undefined,
  };
  const all = new Uint32Array(words);
  const parts = ends.map(({ vertices: lastVertex, indices: last }, i) => {
    const before = ends[i - 1] ?? { vertices: 0, indices: 0 };
    const records = vertices.slice(before.vertices * vertexBytes, lastVertex * vertexBytes);
    const indices = all.subarray(before.indices, last).map((vertex) => vertex - before.vertices);
    return weld({ vertices: records, indices }, options);
  });
  return joinMeshes(parts);
}
