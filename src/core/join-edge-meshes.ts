import { joinMeshes } from "./join-meshes.ts";
import type { EdgeMesh } from "./marching-cubes/weld.ts";

/** Surfaces whose vertices' edges are known as one, in their order; those of different surfaces may be the same. */
export function joinEdgeMeshes(meshes: readonly EdgeMesh[]): EdgeMesh {
  if (meshes.length === 1) return meshes[0];
  const edges = new Uint32Array(meshes.reduce((sum, mesh) => sum + mesh.edges.length, 0));
  let at = 0;
  for (const mesh of meshes) {
    edges.set(mesh.edges, at);
    at += mesh.edges.length;
  }
  return { ...joinMeshes(meshes), edges };
}
