import type { TriangleMesh } from "./mesh.ts";

/** The same surface facing the other way: triangles turned round, each from the vertex it began with, and normals negated. */
export function reverseFacets<M extends TriangleMesh>(mesh: M): M {
  const indices = mesh.indices.slice();
  for (let at = 0; at < indices.length; at += 3) {
    const second = indices[at + 1];
    indices[at + 1] = indices[at + 2];
    indices[at + 2] = second;
  }
  // 0 - x, since a normal's component of 0 is not to become -0.
  return { ...mesh, indices, normals: mesh.normals.map((x) => 0 - x) };
}
