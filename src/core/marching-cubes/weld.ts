import type { Triple } from "../grid.ts";
import type { TriangleMesh } from "../mesh.ts";
import { orderByKey, orderTriangles } from "./order.ts";
import { edgeWord, normalWord, type SurfaceRecords, scalarWord, vertexWords } from "./surface-records.ts";

export interface WeldOptions {
  /** What positions are relative to. */
  readonly center: Triple;
  /** Added to every scalar; undefined where the surface has no colour field. */
  readonly scalarOffset: number | undefined;
}

/** A mesh whose vertices lie on grid edges, or in numbered places inside cells. */
export interface EdgeMesh extends TriangleMesh {
  /** The grid edge or the place of each vertex, ascending where they are welded: see `SurfaceRecords`. */
  readonly edges: Uint32Array;
}

/**
 * Joins the vertices of one grid edge and drops those that no triangle uses. Vertices come out in the order of
 * their edges and triangles in the order of their vertices, whatever order the records had: equal surfaces give
 * equal meshes. Triangles of no area, which arise where grid values equal the isovalue, are kept: without them
 * the mesh would have cracks between vertices that differ only in their edge.
 */
export function weld(
  { vertices, indices: raw }: SurfaceRecords,
  { center, scalarOffset }: WeldOptions,
): EdgeMesh {
  const words = new Uint32Array(vertices);
  const values = new Float32Array(vertices);
  const count = words.length / vertexWords;
  const isUsed = new Uint8Array(count);
  for (const v of raw) isUsed[v] = 1;
  const edges = new Uint32Array(count);
  for (let v = 0; v < count; v++) edges[v] = words[v * vertexWords + edgeWord];
  const order = orderByKey(edges);

  const welded = new Uint32Array(count);
  let kept = 0;
  let lastEdge = -1;
  for (const v of order) {
    if (isUsed[v] === 0) continue;
    if (edges[v] !== lastEdge) {
      lastEdge = edges[v];
      order[kept++] = v;
    }
    welded[v] = kept - 1;
  }

  const positions = new Float32Array(3 * kept);
  const normals = new Float32Array(3 * kept);
  const scalars = scalarOffset === undefined ? undefined : new Float32Array(kept);
  for (let v = 0; v < kept; v++) {
    const at = order[v] * vertexWords;
    for (let axis = 0; axis < 3; axis++) {
      positions[3 * v + axis] = values[at + axis] + center[axis];
      normals[3 * v + axis] = values[at + normalWord + axis];
    }
    if (scalars && scalarOffset !== undefined) scalars[v] = values[at + scalarWord] + scalarOffset;
  }
  const indices = raw.map((v) => welded[v]);
  orderTriangles(indices, kept);
  return {
    positions,
    normals,
    scalars,
    indices,
    edges: Uint32Array.from(order.subarray(0, kept), (v) => edges[v]),
  };
}
