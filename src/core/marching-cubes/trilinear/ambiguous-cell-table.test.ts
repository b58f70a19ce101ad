import { expect, it } from "vitest";
import { edgeLow } from "../cube.ts";
import { ambiguousCellTable, patchIn, vertexCountIn, vertexIn } from "./ambiguous-cell-table.ts";
import { isOpenCase, trilinearSurface } from "./cell.ts";
import { firstInner } from "./patch.ts";
import { randoms, valuesOf } from "./testing/cells.ts";

const words = ambiguousCellTable();

function trianglesOf(patch: number): number[] {
  return Array.from({ length: vertexCountIn(words, patch) }, (_, i) => {
    const bits = vertexIn(words, patch, i);
    return bits < 24
      ? edgeLow.findIndex((low, e) => (low | ((e >> 2) << 3)) === bits)
      : bits - 24 + firstInner;
  });
}

it("has the patch of every cell", () => {
  const random = randoms(8);
  const open = new Set<number>();
  for (let run = 0; run < 20_000; run++) {
    const above = Math.floor(256 * random());
    const values = valuesOf(above, random);
    const patch = patchIn(words, above, values) & 0xffff;
    const expected = trilinearSurface(above, values);
    if (!isOpenCase[above]) {
      expect(patch).toBe(above);
      expect(words[patch] & 31).toBe(expected.triangles.length / 3);
      continue;
    }
    expect((words[patch] >>> 5) & 7).toBe(expected.inner.length);
    if (open.has(patch)) continue;
    open.add(patch);
    expect(trianglesOf(patch)).toEqual(expected.triangles);
  }
  expect(open.size).toBeGreaterThan(450);
});

it("takes few words", () => {
  expect(words.byteLength).toBeLessThan(32_000);
});
