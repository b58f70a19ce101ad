import { expect, it } from "vitest";
import { cellsOfTriangles } from "./cells-of-triangles.ts";
import { edgeFaces, edgeLow } from "./cube.ts";
import { caseTable, maxTriangles } from "./table.ts";

it("finds the cell of every triangle of every case, which none has in a face", () => {
  const dims = [4, 5, 6] as const;
  const [i, j, k] = [2, 1, 3];
  const cell = i + (dims[0] - 1) * (j + (dims[1] - 1) * k);
  const edges = Uint32Array.from(edgeLow, (corner, edge) => {
    const node = i + (corner & 1) + dims[0] * (j + ((corner >> 1) & 1) + dims[1] * (k + ((corner >> 2) & 1)));
    return 3 * node + (edge >> 2);
  });
  let triangles = 0;
  for (let above = 0; above < 256; above++) {
    const first = 3 * above * maxTriangles;
    const indices = Uint32Array.from(
      caseTable().edges.subarray(first, first + 3 * caseTable().counts[above]),
    );
    for (let t = 0; t < indices.length; t += 3) {
      expect(edgeFaces[indices[t]] & edgeFaces[indices[t + 1]] & edgeFaces[indices[t + 2]]).toBe(0);
    }
    const cells = cellsOfTriangles(indices, edges, dims);
    expect(cells.every((found) => found === cell)).toBe(true);
    triangles += cells.length;
  }
  expect(triangles).toBeGreaterThan(800);
});
