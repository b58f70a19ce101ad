import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Box, boxCount } from "../../core/box.ts";
import { isInBox } from "../../core/box-values.ts";
import type { Grid, Triple } from "../../core/grid.ts";
import { valuesAround } from "./block-values.ts";
import { halvesOf, subBlocks } from "./sub-blocks.ts";

const gridOf = (...dims: Triple): Grid => ({ kind: "uniform", dims, origin: [0, 0, 0], spacing: [1, 1, 1] });

const upTo = (max: number) => fc.integer({ min: 1, max });

describe("the blocks that a rank cuts its own into", () => {
  it("have each of its cells once, and no more nodes than the device binds unless they are one cell", () => {
    const dims = fc.tuple(upTo(9), upTo(9), upTo(12));
    fc.assert(
      fc.property(
        dims,
        upTo(3),
        fc.nat(2),
        fc.integer({ min: 1, max: 900 }),
        (cells, at, margin, maxNodes) => {
          const grid = gridOf(cells[0] + at, cells[1] + at, cells[2] + at);
          const own: Box = {
            first: [at - 1, 0, at - 1],
            end: [at - 1 + cells[0], cells[1], at - 1 + cells[2]],
          };
          const blocks = subBlocks(grid, own, margin, maxNodes);
          for (let i = 0; i < boxCount(own); i++) {
            const [x, y] = [i % cells[0], Math.floor(i / cells[0]) % cells[1]];
            const place: Triple = [x + at - 1, y, Math.floor(i / (cells[0] * cells[1])) + at - 1];
            expect(blocks.filter((block) => isInBox(block, place)).length).toBe(1);
          }
          expect(blocks.reduce((sum, block) => sum + boxCount(block), 0)).toBe(boxCount(own));
          for (const block of blocks)
            if (boxCount(block) > 1)
              expect(boxCount(valuesAround(grid, block, margin))).toBeLessThanOrEqual(maxNodes);
        },
      ),
    );
  });

  it("are as few layers along z as possible", () => {
    const own: Box = { first: [0, 0, 4], end: [9, 9, 19] };
    // 100 nodes a plane: five planes have two layers of cells between ghosts.
    const blocks = subBlocks(gridOf(10, 10, 20), own, 1, 599);
    expect(blocks.map(({ first, end }) => [first[2], end[2]])).toEqual([
      [4, 5],
      [5, 7],
      [7, 9],
      [9, 11],
      [11, 13],
      [13, 15],
      [15, 17],
      [17, 19],
    ]);
    expect(subBlocks(gridOf(10, 10, 20), own, 1, 1700)).toEqual([own]);
    expect(subBlocks(gridOf(10, 10, 20), own, 1, 1699)).toHaveLength(2);
  });

  it("are halved along the axis on which they have most cells", () => {
    expect(halvesOf({ first: [1, 2, 3], end: [4, 9, 8] })).toEqual([
      { first: [1, 2, 3], end: [4, 5, 8] },
      { first: [1, 5, 3], end: [4, 9, 8] },
    ]);
    expect(halvesOf({ first: [1, 2, 3], end: [2, 3, 4] })).toBeUndefined();
  });
});
