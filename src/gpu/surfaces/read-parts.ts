import { vertexBytes } from "../../core/marching-cubes/surface-records.ts";
import { type EdgeMesh, weld } from "../../core/marching-cubes/weld.ts";
import type { TriangleMesh } from "../../core/mesh.ts";
import type { GpuContext } from "../device/context.ts";
import { readBytes } from "../device/transfer.ts";
import type { Capacity } from "./capacity.ts";
import type { SurfaceBuffers } from "./surface-buffers.ts";
import type { SurfacePass } from "./surface-pass.ts";
import { type SurfaceBase, scalarOffset } from "./surface-source.ts";

/** What was counted. */
export interface MeshCounts {
  /** The surface's own demand. */
  readonly whole: Capacity;
  /** The clipped surface's, where something is left; undefined where it is not clipped. */
  readonly clipped: Capacity | undefined;
  /** Where the parts end within which edges' ids are unique. */
  readonly ends: Promise<readonly Capacity[]>;
}

/**
 * Copies a surface back and makes each part a mesh, empty ones too, or welds a clipped one as a whole. The copies are
 * submitted before this returns to its caller.
 */
export async function readParts(
  gpu: GpuContext,
  source: SurfaceBase,
  surface: SurfaceBuffers,
  { whole, clipped, ends }: MeshCounts,
  meshOf: NonNullable<SurfacePass<SurfaceBase, unknown, unknown>["meshOf"]> = weld,
): Promise<readonly EdgeMesh[] | TriangleMesh> {
  const options = {
    center: source.tables.center,
    dims: source.tables.dims,
    scalarOffset: source.color ? scalarOffset(source) : undefined,
  };
  if (whole.indices === 0) {
    const records = { vertices: new ArrayBuffer(0), indices: new Uint32Array(0) };
    return (await ends).map(() => meshOf(records, options));
  }
  const vertexCount = (clipped ?? whole).vertices;
  const reads = [
    readBytes(gpu, surface.vertices, 0, vertexCount * vertexBytes),
    readBytes(gpu, surface.indices, 0, whole.indices * 4),
    clipped && surface.clipped ? readBytes(gpu, surface.clipped, 0, clipped.indices * 4) : undefined,
    ends,
  ] as const;
  // Where one fails, what the others took is back, too, when this rejects.
  await Promise.allSettled(reads);
  const [vertices, words, clippedWords, partEnds] = await Promise.all(reads);
  const all = new Uint32Array(words);
  if (clippedWords) {
    const { weldClipped } = await import("./clip/weld-clipped.ts");
    const indices = new Uint32Array(clippedWords);
    return weldClipped({ vertices, sourceIndices: all, indices, ends: partEnds }, options);
  }
  return partEnds.map(({ vertices: lastVertex, indices: last }, i) => {
    const before = partEnds[i - 1] ?? { vertices: 0, indices: 0 };
    const records = vertices.slice(before.vertices * vertexBytes, lastVertex * vertexBytes);
    const indices = all.subarray(before.indices, last).map((vertex) => vertex - before.vertices);
    return meshOf({ vertices: records, indices }, options);
  });
}
