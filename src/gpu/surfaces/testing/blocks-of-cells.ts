import { expect } from "vitest";
import type { Box } from "../../../core/box.ts";
import type { Triple } from "../../../core/grid.ts";
import type { TriangleMesh } from "../../../core/mesh.ts";
import { trianglesOf } from "../../../core/testing/triangles-of.ts";

/** Blocks of a grid's cells that end within the kernels' own blocks of 8 × 4 × 4 cells, and at their borders. */
export function blocksOfCells(dims: Triple): Box[] {
  const ends = [5, 4, 3].map((end, axis) => [Math.min(end, dims[axis] - 2), dims[axis] - 1]);
  return [0, 1, 2, 3, 4, 5, 6, 7].map((block) => {
    const at = [block & 1, (block >> 1) & 1, block >> 2];
    return {
      first: at.map((n, axis) => (n === 0 ? 0 : ends[axis][0])) as unknown as Triple,
      end: at.map((n, axis) => ends[axis][n]) as unknown as Triple,
    };
  });
}

/** Expects the surfaces of blocks of cells to have the whole's triangles, each once, to the bit. */
export async function expectWholeInBlocks(
  dims: Triple,
  make: (cells: Box | undefined) => Promise<TriangleMesh>,
): Promise<void> {
  const whole = trianglesOf(await make(undefined));
  const parts: string[][] = [];
  for (const block of blocksOfCells(dims)) parts.push(trianglesOf(await make(block)));
  expect(parts.filter(({ length }) => length > 0).length).toBeGreaterThan(1);
  expect(parts.flat().sort()).toEqual(whole);
}
