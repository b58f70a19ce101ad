import { edgeLow } from "../../core/marching-cubes/cube.ts";
import { caseTable, maxTriangles } from "../../core/marching-cubes/table.ts";

/** Words of a case: two triangles in each but the last, which counts them. */
export const triangleTableWords = Math.ceil(maxTriangles / 2) + 1;

/** A cube edge as its lower corner | its axis << 3, so that kernels need no table of edges. */
const edgeBits = (edge: number) => edgeLow[edge] | ((edge >> 2) << 3);

/**
 * The case table for kernels. Triangle t of a case is 15 bits, three cube edges (`edgeBits`), at bit 15 · (t & 1) of the
 * case's word t >> 1.
 */
export function packTriangles(): Uint32Array<ArrayBuffer> {
  const { counts, edges } = caseTable();
  const words = new Uint32Array(256 * triangleTableWords);
  for (let above = 0; above < 256; above++) {
    const first = above * triangleTableWords;
    for (let t = 0; t < counts[above]; t++) {
      const at = 3 * (above * maxTriangles + t);
      const [a, b, c] = Array.from(edges.subarray(at, at + 3), edgeBits);
      words[first + (t >> 1)] |= (a | (b << 5) | (c << 10)) << (15 * (t & 1));
    }
    words[first + triangleTableWords - 1] = counts[above];
  }
  return words;
}
