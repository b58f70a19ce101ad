import type { TriangleMesh } from "./mesh.ts";

/** Several meshes as one, in their order. Scalars are kept where all have some. */
export function mergeMeshes(meshes: readonly TriangleMesh[]): TriangleMesh {
  if (meshes.length === 1) return meshes[0];
  const total = (length: (mesh: TriangleMesh) => number) =>
    meshes.reduce((sum, mesh) => sum + length(mesh), 0);
  const floats = total(({ positions }) => positions.length);
  const positions = new Float32Array(floats);
  const normals = new Float32Array(floats);
  const scalars = meshes.every((mesh) => mesh.scalars) ? new Float32Array(floats / 3) : undefined;
  const indices = new Uint32Array(total((mesh) => mesh.indices.length));
  let vertex = 0;
  let corner = 0;
  for (const mesh of meshes) {
    positions.set(mesh.positions, 3 * vertex);
    normals.set(mesh.normals, 3 * vertex);
    if (mesh.scalars) scalars?.set(mesh.scalars, vertex);
    for (const index of mesh.indices) indices[corner++] = index + vertex;
    vertex += mesh.positions.length / 3;
  }
  return { positions, normals, scalars, indices };
}
