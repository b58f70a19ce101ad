import type { TriangleMesh } from "../mesh.ts";

/** Each triangle by the numbers of its corners, from its lowest corner on: the order of triangles does not matter. */
export function trianglesOf({ positions, normals, scalars, indices }: TriangleMesh): string[] {
  const corner = (v: number) =>
    [...positions.subarray(3 * v, 3 * v + 3), ...normals.subarray(3 * v, 3 * v + 3), scalars?.[v] ?? 0].join(
      " ",
    );
  return Array.from({ length: indices.length / 3 }, (_, t) => {
    const corners = [...indices.subarray(3 * t, 3 * t + 3)].map(corner);
    const lowest = corners.indexOf(corners.toSorted()[0]);
    return [...corners.slice(lowest), ...corners.slice(0, lowest)].join(", ");
  }).sort();
}
