/**
 * An indexed triangle mesh. Triangles are counter-clockwise seen from the side that `normals` point to,
 * which is the side of higher values of the field whose isosurface it is.
 */
export interface TriangleMesh {
  /** xyz per vertex, physical units. */
  readonly positions: Float32Array;
  /** Unit vectors, xyz per vertex. */
  readonly normals: Float32Array;
  /** One value per vertex of the field that colours the surface, where there is one. */
  readonly scalars: Float32Array | undefined;
  /** Three vertex numbers per triangle. */
  readonly indices: Uint32Array;
}

export const emptyMesh: TriangleMesh = {
  positions: new Float32Array(0),
  normals: new Float32Array(0),
  scalars: undefined,
  indices: new Uint32Array(0),
};

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
