import type { TriangleMesh } from "./mesh.ts";
import { rangesOf, type Steps } from "./steps.ts";

const unused = 2 ** 32 - 1;

/** The triangles of a mesh that are kept, by their numbers, in their order, with the vertices that these use, as they are met. */
export function* trianglesWhere(
  mesh: TriangleMesh,
  isKept: (triangle: number) => boolean,
): Steps<TriangleMesh> {
  const { positions, indices } = mesh;
  const numbers = new Uint32Array(positions.length / 3).fill(unused);
  const vertices = new Uint32Array(numbers.length);
  const kept = new Uint32Array(indices.length);
  let [keptCount, vertexCount] = [0, 0];
  for (const [first, end] of rangesOf(indices.length / 3)) {
    for (let t = first; t < end; t++) {
      if (!isKept(t)) continue;
      for (let corner = 3 * t; corner < 3 * t + 3; corner++) {
        const vertex = indices[corner];
        if (numbers[vertex] === unused) {
          numbers[vertex] = vertexCount;
          vertices[vertexCount++] = vertex;
        }
        kept[keptCount++] = numbers[vertex];
      }
    }
    yield;
  }
  return yield* withVertices(mesh, vertices.subarray(0, vertexCount), kept.slice(0, keptCount));
}

/** A mesh of some vertices of another; `indices` number these. */
export function* withVertices(
  { positions, normals, scalars }: TriangleMesh,
  vertices: ArrayLike<number>,
  indices: Uint32Array,
): Steps<TriangleMesh> {
  return {
    positions: yield* taken(positions, 3, vertices),
    normals: yield* taken(normals, 3, vertices),
    scalars: scalars && (yield* taken(scalars, 1, vertices)),
    indices,
  };
}

function* taken(from: Float32Array, components: number, vertices: ArrayLike<number>): Steps<Float32Array> {
  const values = new Float32Array(components * vertices.length);
  for (const [first, end] of rangesOf(vertices.length)) {
    for (let v = first; v < end; v++)
      for (let c = 0; c < components; c++) values[components * v + c] = from[components * vertices[v] + c];
    yield;
  }
  return values;
}
