import { orderByKey } from "../../../core/marching-cubes/order.ts";
import { edgeWord, vertexWords } from "../../../core/marching-cubes/surface-records.ts";
import { type WeldOptions, weld } from "../../../core/marching-cubes/weld.ts";
import type { TriangleMesh } from "../../../core/mesh.ts";
import type { Capacity } from "../capacity.ts";

export interface ClippedRecords {
  /** The source's vertices, then those that the clip made. */
  readonly vertices: ArrayBuffer;
  /** Of the source and of the clipped surface. */
  readonly sourceIndices: Uint32Array;
  readonly indices: Uint32Array;
  /** Where the parts of the source end within which edges' ids are unique; the last end is the source's own. */
  readonly ends: readonly Capacity[];
}

/**
 * Welds a clipped surface: the source's vertices by their edges, and those that the clip made by the two welded
 * vertices that they lie between. Overwrites the records.
 */
export function weldClipped(
  { vertices, sourceIndices, indices, ends }: ClippedRecords,
  options: WeldOptions,
): TriangleMesh {
  const words = new Uint32Array(vertices);
  const total = words.length / vertexWords;
  const sourceCount = ends[ends.length - 1].vertices;
  const distinct = numberByEdge(words, ends);
  const made = total - sourceCount;
  const pairs = new Float64Array(made);
  for (let v = 0; v < made; v++) {
    const corner = words[(sourceCount + v) * vertexWords + edgeWord];
    const next = corner % 3 === 2 ? corner - 2 : corner + 1;
    const a = words[sourceIndices[corner] * vertexWords + edgeWord];
    const b = words[sourceIndices[next] * vertexWords + edgeWord];
    // Exact up to 94 million vertices.
    pairs[v] = Math.min(a, b) * distinct + Math.max(a, b);
  }
  const sorted = pairs.slice().sort();
  for (let v = 0; v < made; v++) {
    words[(sourceCount + v) * vertexWords + edgeWord] = distinct + firstPlace(sorted, pairs[v]);
  }
  const { edges, ...mesh } = weld({ vertices, indices }, options);
  return mesh;
}

/** Replaces the edge of each of the source's vertices by a number, equal for equal edges of a part; says how many. */
function numberByEdge(words: Uint32Array, ends: readonly Capacity[]): number {
  let number = -1;
  let first = 0;
  for (const { vertices: end } of ends) {
    const edges = Uint32Array.from(
      { length: end - first },
      (_, v) => words[(first + v) * vertexWords + edgeWord],
    );
    let last = -1;
    for (const v of orderByKey(edges)) {
      if (edges[v] !== last) number++;
      last = edges[v];
      words[(first + v) * vertexWords + edgeWord] = number;
    }
    first = end;
  }
  return number + 1;
}

function firstPlace(sorted: Float64Array, value: number): number {
  let low = 0;
  let high = sorted.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle] < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
