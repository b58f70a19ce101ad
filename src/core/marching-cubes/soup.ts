import type { Triple } from "../grid.ts";
import { cellsOfTriangles } from "./cells-of-triangles.ts";
import { orderByKey } from "./order.ts";
import { edgeWord, normalWord, type SurfaceRecords, scalarWord, vertexWords } from "./surface-records.ts";
import type { EdgeMesh, WeldOptions } from "./weld.ts";

export interface SoupOptions extends WeldOptions {
  /** Nodes of the grid. */
  readonly dims: Triple;
}

/**
 * The mesh of records that are three for each triangle, which share none. Triangles come out in the order of their
 * cells, those of a cell in their own: where these follow each other in the order of the table, equal surfaces give equal
 * meshes.
 */
export function orderSoup(
  { vertices }: Pick<SurfaceRecords, "vertices">,
  { center, scalarOffset, dims }: SoupOptions,
): EdgeMesh {
  const words = new Uint32Array(vertices);
  const values = new Float32Array(vertices);
  const count = words.length / vertexWords;
  const indices = Uint32Array.from({ length: count }, (_, v) => v);
  const order = orderByKey(
    cellsOfTriangles(
      indices,
      indices.map((v) => words[v * vertexWords + edgeWord]),
      dims,
    ),
  );
  const positions = new Float32Array(3 * count);
  const normals = new Float32Array(3 * count);
  const scalars = scalarOffset === undefined ? undefined : new Float32Array(count);
  const edges = new Uint32Array(count);
  for (let v = 0; v < count; v++) {
    const at = (3 * order[Math.floor(v / 3)] + (v % 3)) * vertexWords;
    for (let axis = 0; axis < 3; axis++) {
      positions[3 * v + axis] = values[at + axis] + center[axis];
      normals[3 * v + axis] = values[at + normalWord + axis];
    }
    if (scalars && scalarOffset !== undefined) scalars[v] = values[at + scalarWord] + scalarOffset;
    edges[v] = words[at + edgeWord];
  }
  return { positions, normals, scalars, indices, edges };
}
