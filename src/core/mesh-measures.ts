import type { Bounds } from "./grid.ts";
import type { TriangleMesh } from "./mesh.ts";
import { finished, rangesOf, type Steps } from "./steps.ts";

/** Twice the area vector of triangle t: its length is twice the area, its direction the facet's normal. */
export function facetNormal({ positions, indices }: TriangleMesh, t: number): [number, number, number] {
  const a = 3 * indices[3 * t];
  const b = 3 * indices[3 * t + 1];
  const c = 3 * indices[3 * t + 2];
  const ux = positions[b] - positions[a];
  const uy = positions[b + 1] - positions[a + 1];
  const uz = positions[b + 2] - positions[a + 2];
  const vx = positions[c] - positions[a];
  const vy = positions[c + 1] - positions[a + 1];
  const vz = positions[c + 2] - positions[a + 2];
  return [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
}

/** Sum of the triangles' areas, in squared length units of the grid. */
export const surfaceArea = (mesh: TriangleMesh): number => finished(measuringArea(mesh));

export function* measuringArea(mesh: TriangleMesh): Steps<number> {
  let doubled = 0;
  for (const [first, end] of rangesOf(mesh.indices.length / 3)) {
    for (let t = first; t < end; t++) doubled += Math.hypot(...facetNormal(mesh, t));
    yield;
  }
  return doubled / 2;
}

/** The volume that a closed mesh encloses, by the divergence theorem; negative where its facets face inwards. */
export function enclosedVolume(mesh: TriangleMesh): number {
  const { positions, indices } = mesh;
  if (indices.length === 0) return 0;
  const origin = 3 * indices[0];
  let sum = 0;
  for (let t = 0; t < indices.length / 3; t++) {
    const normal = facetNormal(mesh, t);
    const a = 3 * indices[3 * t];
    for (let d = 0; d < 3; d++) sum += (positions[a + d] - positions[origin + d]) * normal[d];
  }
  return sum / 6;
}

/** The box around all vertices; undefined for the empty mesh. */
export function meshBounds({ positions }: TriangleMesh): Bounds | undefined {
  if (positions.length === 0) return undefined;
  const low = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  const high = low.map((x) => -x);
  for (let i = 0; i < positions.length; i++) {
    const d = i % 3;
    if (positions[i] < low[d]) low[d] = positions[i];
    if (positions[i] > high[d]) high[d] = positions[i];
  }
  return [low[0], high[0], low[1], high[1], low[2], high[2]];
}

export interface EdgeCounts {
  readonly edges: number;
  /** Edges of one triangle: zero on a closed mesh. */
  readonly boundary: number;
  /** Edges of more than two triangles, or of two that run through it in the same direction. */
  readonly irregular: number;
}

/** Counts the edges of a welded mesh by their triangles. */
export function countEdges({ indices, positions }: TriangleMesh): EdgeCounts {
  const vertexCount = positions.length / 3;
  const keys = new Float64Array(indices.length);
  for (let i = 0; i < indices.length; i++) {
    const from = indices[i];
    const to = indices[i % 3 === 2 ? i - 2 : i + 1];
    // Undirected edge as an exact integer, its direction as the low bit: exact up to 67 million vertices.
    keys[i] = 2 * (Math.min(from, to) * vertexCount + Math.max(from, to)) + (from < to ? 0 : 1);
  }
  keys.sort();
  let edges = 0;
  let boundary = 0;
  let irregular = 0;
  for (let i = 0; i < keys.length; ) {
    const edge = Math.floor(keys[i] / 2);
    let forward = 0;
    let backward = 0;
    for (; i < keys.length && Math.floor(keys[i] / 2) === edge; i++) {
      if (keys[i] % 2 === 0) forward++;
      else backward++;
    }
    edges++;
    if (forward + backward === 1) boundary++;
    else if (forward !== 1 || backward !== 1) irregular++;
  }
  return { edges, boundary, irregular };
}

/** Vertices − edges + triangles: 2 for each sphere, 0 for each torus. */
export function eulerCharacteristic(mesh: TriangleMesh): number {
  return mesh.positions.length / 3 - countEdges(mesh).edges + mesh.indices.length / 3;
}
