/** How a grid's cells are divided into a block for each rank. */
import type { Value } from "../../cluster/communicator/communicator.ts";
import { badMessage } from "../../cluster/wire/frame.ts";
import { type Box, boxCount, mapAxes } from "../../core/box.ts";
import { isEmptyBox } from "../../core/box-values.ts";
import { cellDims, type Grid, type Triple } from "../../core/grid.ts";
import { factorings, type WantedBlocks } from "../../core/wanted-blocks.ts";
import { valuesAround } from "./block-values.ts";

const maxBlocks = 2 ** 16;
/** Other divisions than the smallest are taken where their largest block has so many times its nodes at most. */
const tolerance = 1.25;

/** Throws BadMessage. */
export function parseBlocks(value: Value | undefined): WantedBlocks {
  if (value === null || value === "layers") return value;
  const isCount = (count: Value) =>
    Number.isInteger(count) && Number(count) > 0 && Number(count) <= maxBlocks;
  if (!Array.isArray(value) || value.length !== 3 || !value.every(isCount))
    throw badMessage("blocks of no grid");
  return value as number[];
}

/** The cells of each rank's block: ranks count along x fastest. Some are empty where there are more blocks than cells. */
export function cellsOfBlocks(grid: Grid, counts: Triple): Box[] {
  const cells = cellDims(grid);
  const [bx, by, bz] = counts;
  return Array.from({ length: bx * by * bz }, (_, rank) => {
    const place = [rank % bx, Math.floor(rank / bx) % by, Math.floor(rank / (bx * by))];
    const start = (axis: number, more: number) =>
      Math.floor(((place[axis] + more) * cells[axis]) / counts[axis]);
    return { first: mapAxes((axis) => start(axis, 0)), end: mapAxes((axis) => start(axis, 1)) };
  });
}

/**
 * Blocks along x, y and z for so many ranks, as MPI_Dims_create chooses them, but by what the ranks then read: of the divisions
 * whose largest block, with so many layers of ghosts, has at most a quarter more nodes than that of the best one, that which
 * divides x least often, then y least often. Layers along z are read as one run of a file, parts of rows as many.
 */
export function chooseBlocks(grid: Grid, ranks: number, ghosts: number): Triple {
  const choices = factorings(ranks).map((counts) => ({ counts, nodes: largestBlock(grid, counts, ghosts) }));
  const enough = tolerance * Math.min(...choices.map(({ nodes }) => nodes));
  return (choices.find(({ nodes }) => nodes <= enough) as (typeof choices)[number]).counts;
}

const largestBlock = (grid: Grid, counts: Triple, ghosts: number): number =>
  Math.max(
    ...cellsOfBlocks(grid, counts).map((cells) =>
      isEmptyBox(cells) ? 0 : boxCount(valuesAround(grid, cells, ghosts)),
    ),
  );
