import { facetNormal } from "../facet-normal.ts";
import type { Triple } from "../grid.ts";
import { cellsOfTriangles } from "./cells-of-triangles.ts";
import { orderByKey } from "./order.ts";
import { edgeWord, normalWord, type SurfaceRecords, scalarWord, vertexWords } from "./surface-records.ts";
import type { EdgeMesh, WeldOptions } from "./weld.ts";

/** Of a soup: the field's gradient, or each triangle's own where it has an area. */
export type SoupNormals = "smooth" | "flat";

/** The mesh of three vertices for each triangle, which share none; triangles stay in their order. */
export function soup(
  { vertices, indices: corners }: SurfaceRecords,
  { center, scalarOffset }: WeldOptions,
  shading: SoupNormals,
): EdgeMesh {
  const words = new Uint32Array(vertices);
  const values = new Float32Array(vertices);
  const count = corners.length;
  const positions = new Float32Array(3 * count);
  const normals = new Float32Array(3 * count);
  const scalars = scalarOffset === undefined ? undefined : new Float32Array(count);
  const edges = new Uint32Array(count);
  for (let v = 0; v < count; v++) {
    const at = corners[v] * vertexWords;
    for (let axis = 0; axis < 3; axis++) {
      positions[3 * v + axis] = values[at + axis];
      normals[3 * v + axis] = values[at + normalWord + axis];
    }
    if (scalars && scalarOffset !== undefined) scalars[v] = values[at + scalarWord] + scalarOffset;
    edges[v] = words[at + edgeWord];
  }
  if (shading === "flat") flatten(positions, normals);
  for (let w = 0; w < positions.length; w++) positions[w] += center[w % 3];
  return { positions, normals, scalars, indices: corners.map((_, v) => v), edges };
}

/** Gives each triangle's vertices its facet's normal; theirs stay where it has no area. */
export function flatten(positions: Float32Array, normals: Float32Array): void {
  const normal = new Float64Array(3);
  for (let v = 0; 3 * v < positions.length; v += 3) {
    if (!facetNormal(positions, [v, v + 1, v + 2], normal)) continue;
    for (let corner = v; corner < v + 3; corner++) normals.set(normal, 3 * corner);
  }
}

export interface OrderOptions extends WeldOptions {
  /** Nodes of the grid. */
  readonly dims: Triple;
}

/**
 * The mesh of records that are three for each triangle already. Triangles come out in the order of their cells, those of a
 * cell in their own: where these follow each other in the order of the table, equal surfaces give equal meshes.
 */
export function orderSoup(records: SurfaceRecords, options: OrderOptions): EdgeMesh {
  const words = new Uint32Array(records.vertices);
  const edges = records.indices.map((v) => words[v * vertexWords + edgeWord]);
  const numbers = records.indices.map((_, corner) => corner);
  const order = orderByKey(cellsOfTriangles(numbers, edges, options.dims));
  const indices = numbers.map((corner) => records.indices[3 * order[Math.floor(corner / 3)] + (corner % 3)]);
  return soup({ ...records, indices }, options, "smooth");
}
