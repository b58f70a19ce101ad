import type { Triple } from "../grid.ts";
import type { TriangleMesh } from "../mesh.ts";
import { finished, rangesOf, type Steps } from "../steps.ts";
import { orderingByKey, orderingTriangles } from "./order.ts";
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

/** A mesh whose vertices' places are known, unless it is clipped or was not made by grid edges. */
export type MaybeEdgeMesh = TriangleMesh & Partial<Pick<EdgeMesh, "edges">>;

/**
 * Joins the vertices of one grid edge and drops those that no triangle uses. Vertices come out in the order of
 * their edges and triangles in the order of their vertices, whatever order the records had: equal surfaces give
 * equal meshes. Triangles of no area, which arise where grid values equal the isovalue, are kept: without them
 * the mesh would have cracks between vertices that differ only in their edge.
 */
export const weld = (records: SurfaceRecords, options: WeldOptions): EdgeMesh =>
  finished(welding(records, options));

export function* welding(
  { vertices, indices: raw }: SurfaceRecords,
  { center, scalarOffset }: WeldOptions,
): Steps<EdgeMesh> {
  const words = new Uint32Array(vertices);
  const values = new Float32Array(vertices);
  const count = words.length / vertexWords;
  const isUsed = new Uint8Array(count);
  for (const [first, end] of rangesOf(raw.length)) {
    for (let i = first; i < end; i++) isUsed[raw[i]] = 1;
    yield;
  }
  const edges = new Uint32Array(count);
  for (const [first, end] of rangesOf(count)) {
    for (let v = first; v < end; v++) edges[v] = words[v * vertexWords + edgeWord];
    yield;
  }
  const order = yield* orderingByKey(edges);

  const welded = new Uint32Array(count);
  let kept = 0;
  let lastEdge = -1;
  for (const [first, end] of rangesOf(count)) {
    for (let i = first; i < end; i++) {
      const v = order[i];
      if (isUsed[v] === 0) continue;
      if (edges[v] !== lastEdge) {
        lastEdge = edges[v];
        order[kept++] = v;
      }
      welded[v] = kept - 1;
    }
    yield;
  }

  const positions = new Float32Array(3 * kept);
  const normals = new Float32Array(3 * kept);
  const scalars = scalarOffset === undefined ? undefined : new Float32Array(kept);
  const ownEdges = new Uint32Array(kept);
  for (const [first, end] of rangesOf(kept)) {
    for (let v = first; v < end; v++) {
      const at = order[v] * vertexWords;
      ownEdges[v] = edges[order[v]];
      for (let axis = 0; axis < 3; axis++) {
        positions[3 * v + axis] = values[at + axis] + center[axis];
        normals[3 * v + axis] = values[at + normalWord + axis];
      }
      if (scalars && scalarOffset !== undefined) scalars[v] = values[at + scalarWord] + scalarOffset;
    }
    yield;
  }
  const indices = new Uint32Array(raw.length);
  for (const [first, end] of rangesOf(raw.length)) {
    for (let i = first; i < end; i++) indices[i] = welded[raw[i]];
    yield;
  }
  yield* orderingTriangles(indices, kept);
  return { positions, normals, scalars, indices, edges: ownEdges };
}
