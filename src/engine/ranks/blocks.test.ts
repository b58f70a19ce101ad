import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { boxCount } from "../../core/box.ts";
import { isEmptyBox, isInBox } from "../../core/box-values.ts";
import { cellDims, type Grid, type Triple, valueDims } from "../../core/grid.ts";
import { checkBlocks } from "../../core/wanted-blocks.ts";
import { ownValues, valuesAround } from "./block-values.ts";
import { cellsOfBlocks, chooseBlocks } from "./blocks.ts";

const gridOf = (...dims: Triple): Grid => ({ kind: "uniform", dims, origin: [0, 0, 0], spacing: [1, 1, 1] });

const small = (max: number) => fc.integer({ min: 1, max });
const triples = (max: number) => fc.tuple(small(max), small(max), small(max));

describe("blocks of a grid", () => {
  it("have each cell, and each node, once", () => {
    fc.assert(
      fc.property(triples(5), triples(7), (counts, dims) => {
        const grid = gridOf(...dims);
        const blocks = cellsOfBlocks(grid, counts);
        expect(blocks.length).toBe(counts[0] * counts[1] * counts[2]);
        for (const centering of ["node", "cell"] as const) {
          const boxes = blocks.map((cells) => ownValues(grid, cells, centering));
          const [nx, ny, nz] = valueDims(grid, centering);
          for (let i = 0; i < nx * ny * nz; i++) {
            const place: Triple = [i % nx, Math.floor(i / nx) % ny, Math.floor(i / (nx * ny))];
            expect(boxes.filter((box) => isInBox(box, place)).length).toBe(1);
          }
          for (const [k, cells] of blocks.entries()) {
            if (isEmptyBox(cells)) expect(isEmptyBox(boxes[k])).toBe(true);
          }
        }
        const sizes = blocks.map((cells) => cells.end.map((end, axis) => end - cells.first[axis]));
        const cells = cellDims(grid);
        for (const size of sizes)
          for (const [axis, length] of size.entries())
            expect(Math.abs(length - cells[axis] / counts[axis])).toBeLessThan(1);
      }),
    );
  });

  it("are one for each rank, and at most a quarter larger than necessary", () => {
    const largest = (grid: Grid, counts: Triple, ghosts: number) =>
      Math.max(
        ...cellsOfBlocks(grid, counts).map((cells) =>
          isEmptyBox(cells) ? 0 : boxCount(valuesAround(grid, cells, ghosts)),
        ),
      );
    fc.assert(
      fc.property(triples(60), small(24), fc.integer({ min: 0, max: 6 }), (dims, ranks, ghosts) => {
        const grid = gridOf(...dims);
        const [x, y, z] = chooseBlocks(grid, ranks, ghosts);
        expect(x * y * z).toBe(ranks);
        for (let bx = 1; bx <= ranks; bx++) {
          for (let by = 1; bx * by <= ranks; by++) {
            if (ranks % (bx * by) !== 0) continue;
            const other = largest(grid, [bx, by, ranks / (bx * by)], ghosts);
            expect(largest(grid, [x, y, z], ghosts)).toBeLessThanOrEqual(1.25 * other);
          }
        }
      }),
    );
  });

  it.each([
    ["layers for few ranks", gridOf(512, 512, 512), 3, 2, [1, 1, 3]],
    ["layers for eight", gridOf(512, 512, 512), 8, 2, [1, 1, 8]],
    ["layers of a tall grid", gridOf(64, 64, 4096), 64, 2, [1, 1, 64]],
    ["whole rows for many ranks", gridOf(512, 512, 512), 64, 2, [1, 2, 32]],
    ["columns with more ghosts", gridOf(128, 128, 128), 64, 6, [1, 8, 8]],
    ["y where there are few planes", gridOf(2048, 2048, 4), 6, 1, [1, 6, 1]],
    ["x where there is one row", gridOf(4096, 1, 1), 4, 2, [4, 1, 1]],
  ] as const)("are %s", (_, grid, ranks, ghosts, expected) => {
    expect(chooseBlocks(grid, ranks, ghosts)).toEqual(expected);
  });

  it("are refused where they are not one for each rank", () => {
    for (const blocks of [[2, 2, 1], "layers", null] as const)
      expect(() => checkBlocks(blocks, 4)).not.toThrow();
    for (const blocks of [[2, 2, 1], [3], [1.5, 2, 1], [-1, -3, 1], [0, 1, 3]])
      expect(() => checkBlocks(blocks, 3)).toThrow("ranks");
  });
});
