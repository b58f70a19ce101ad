import { expect, it } from "vitest";
import { edgeLow } from "../../../../core/marching-cubes/cube.ts";
import { isOpenCase, trilinearSurface } from "../../../../core/marching-cubes/trilinear/cell.ts";
import { ambiguousFaces, joinedFaces } from "../../../../core/marching-cubes/trilinear/faces.ts";
import { innerJoints } from "../../../../core/marching-cubes/trilinear/inner-joint.ts";
import { firstInner } from "../../../../core/marching-cubes/trilinear/patch.ts";
import { randoms, valuesOf } from "../../../../core/marching-cubes/trilinear/testing/cells.ts";
import { packOpenCells } from "./open-cell-table.ts";

const words = packOpenCells();

/** A cell's patch as kernels look it up. */
function patchNumber(above: number, values: readonly number[]): number {
  if (words[above] >>> 31 === 0) return above;
  const joined = joinedFaces(above, values);
  let outline = words[above] & 0x7fffffff;
  for (let face = 0, bit = 0; face < 6; face++) {
    if (((ambiguousFaces[above] >> face) & 1) === 1) outline += ((joined >> face) & 1) << bit++;
  }
  const tunnels = words[outline] >>> 12;
  for (const { kind } of tunnels > 0 ? innerJoints(above, values) : []) {
    if (words[tunnels + kind] !== 0) return words[tunnels + kind];
  }
  return words[outline] & 0xfff;
}

function trianglesOf(patch: number): number[] {
  const header = words[patch];
  return Array.from({ length: 3 * (header & 31) }, (_, i) => {
    const t = Math.floor(i / 3);
    const bits = (words[(header >>> 8) + (t >> 1)] >>> (15 * (t & 1) + 5 * (i % 3))) & 31;
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
    const patch = patchNumber(above, values);
    const due = trilinearSurface(above, values);
    if (!isOpenCase[above]) {
      expect(patch).toBe(above);
      expect(words[patch] & 31).toBe(due.triangles.length / 3);
      continue;
    }
    expect((words[patch] >>> 5) & 7).toBe(due.inner.length);
    if (open.has(patch)) continue;
    open.add(patch);
    expect(trianglesOf(patch)).toEqual(due.triangles);
  }
  expect(open.size).toBeGreaterThan(450);
});

it("takes few words", () => {
  expect(words.byteLength).toBeLessThan(32_000);
});
