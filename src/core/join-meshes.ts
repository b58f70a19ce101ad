import { emptyMesh, type TriangleMesh } from "./mesh.ts";

/** Several meshes as one, in their order. Scalars are kept where all that have vertices have them. */
export function joinMeshes(meshes: readonly TriangleMesh[]): TriangleMesh {
  const parts = meshes.filter(({ positions }) => positions.length > 0);
  if (parts.length < 2) return parts[0] ?? emptyMesh;
  const total = (length: (mesh: TriangleMesh) => number) =>
    parts.reduce((sum, mesh) => sum + length(mesh), 0);
  const positions = new Float32Array(total((mesh) => mesh.positions.length));
  const normals = new Float32Array(positions.length);
  const scalars = parts.every((mesh) => mesh.scalars) ? new Float32Array(positions.length / 3) : undefined;
  const indices = new Uint32Array(total((mesh) => mesh.indices.length));
  let vertices = 0;
  let at = 0;
  for (const mesh of parts) {
    positions.set(mesh.positions, 3 * vertices);
    normals.set(mesh.normals, 3 * vertices);
    if (mesh.scalars) scalars?.set(mesh.scalars, vertices);
    for (let i = 0; i < mesh.indices.length; i++) indices[at + i] = mesh.indices[i] + vertices;
    vertices += mesh.positions.length / 3;
    at += mesh.indices.length;
  }
  return { positions, normals, scalars, indices };
}
