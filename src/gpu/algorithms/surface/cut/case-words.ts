import { caseTable, maxTriangles } from "../../../../core/marching-cubes/table.ts";

/** Words of a case in the packed table. */
export const caseWords = 4;

/**
 * The case table for kernels. Triangle t of case b is 12 bits, three cube edges of 4 bits, at bit 12 · (t & 1) of
 * word b · caseWords + (t >> 1); the last word of a case is its number of triangles.
 */
export function packCaseTable(): Uint32Array<ArrayBuffer> {
  const words = new Uint32Array(256 * caseWords);
  for (let above = 0; above < 256; above++) {
    for (let t = 0; t < caseTable.counts[above]; t++) {
      const [a, b, c] = caseTable.edges.subarray((above * maxTriangles + t) * 3);
      words[above * caseWords + (t >> 1)] |= (a | (b << 4) | (c << 8)) << (12 * (t & 1));
    }
    words[above * caseWords + caseWords - 1] = caseTable.counts[above];
  }
  return words;
}
