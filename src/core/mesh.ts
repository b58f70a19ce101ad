/**
 * An indexed triangle mesh. Triangles are counter-clockwise seen from the side that `normals` point to,
 * which is the side of lower values of the field whose isosurface it is: a closed surface around higher values encloses
 * a positive volume.
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
