import { contourLoops } from "./contour.ts";
import { triangulateLoop } from "./triangulate.ts";

/**
 * Marching cubes (Lorensen and Cline 1987): for each of the 256 sets of corners above the isovalue, the triangles
 * as triples of cut edges, counter-clockwise seen from the side of lower values, as in VTK. Bit c of a case is set where
 * corner c is strictly above. Neighbouring cells never disagree about a shared face, so surfaces have no cracks.
 */
export interface CaseTable {
  /** Triangles of each case, at most `maxTriangles`. */
  readonly counts: Uint8Array;
  /** Edge j of case b at `edges[b · 3 · maxTriangles + j]`. */
  readonly edges: Uint8Array;
}

export const maxTriangles = 5;

function buildTable(): CaseTable {
  const counts = new Uint8Array(256);
  const edges = new Uint8Array(256 * 3 * maxTriangles);
  for (let above = 0; above < 256; above++) {
    const triangles = contourLoops(above).flatMap(triangulateLoop);
    counts[above] = triangles.length;
    edges.set(triangles.flat(), above * 3 * maxTriangles);
  }
  return { counts, edges };
}

let table: CaseTable | undefined;

/** Made when it is first asked for: that takes longer than what starts without a surface. */
export function caseTable(): CaseTable {
  table ??= buildTable();
  return table;
}
