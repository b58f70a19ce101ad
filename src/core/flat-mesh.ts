import { flatten } from "./marching-cubes/soup.ts";
import type { TriangleMesh } from "./mesh.ts";

/**
 * The mesh with three vertices for each triangle, which share none, and the facets' normals; where a triangle has no area
 * its vertices keep theirs.
 */
export function flatMesh({ positions, normals, scalars, indices }: TriangleMesh): TriangleMesh {
  const flat = {
    positions: ofCorners(positions, 3, indices),
    normals: ofCorners(normals, 3, indices),
    scalars: scalars && ofCorners(scalars, 1, indices),
    indices: indices.map((_, corner) => corner),
  };
  flatten(flat.positions, flat.normals);
  return flat;
}

/** What vertices have so many values of, for each triangle's corners. */
export function ofCorners<A extends Float32Array | Uint8Array>(
  values: A,
  components: number,
  indices: Uint32Array,
): A {
  const results = new (values.constructor as new (length: number) => A)(components * indices.length);
  for (let corner = 0; corner < indices.length; corner++) {
    for (let c = 0; c < components; c++)
      results[components * corner + c] = values[components * indices[corner] + c];
  }
  return results;
}
