import { caseTable, maxTriangles } from "../../core/marching-cubes/table.ts";

/** Words of a case: the cut edges of its triangles, then how many of them there are. */
export const caseWords = 3 * maxTriangles + 1;

function buildWords(): Uint32Array {
  const { counts, edges } = caseTable();
  const words = new Uint32Array(256 * caseWords);
  for (let above = 0; above < 256; above++) {
    const count = 3 * counts[above];
    const first = above * 3 * maxTriangles;
    words.set(edges.subarray(first, first + count), above * caseWords);
    words[above * caseWords + caseWords - 1] = count;
  }
  return words;
}

let table: Uint32Array | undefined;

/** The case table for kernels. */
export function caseTableWords(): Uint32Array {
  table ??= buildWords();
  return table;
}
