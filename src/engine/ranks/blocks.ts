/** How a grid's cells are divided into a block for each rank. */
import type { Value } from "../../cluster/communicator/communicator.ts";
import { badMessage } from "../../cluster/wire/frame.ts";
import { type Box, boxCount, mapAxes } from "../../core/box.ts";
import { isEmptyBox } from "../../core/box-values.ts";
import { CrinkleError } from "../../core/errors.ts";
import { cellDims, type Grid, type Triple } from "../../core/grid.ts";
import { valuesAround } from "./block-values.ts";

/** Blocks along x, y and z that somebody has asked for, or as many layers along z as there are ranks; null where they are chosen. */
export type WantedBlocks = readonly number[] | "layers" | null;

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

/** Throws BadArgument unless there is a block for each rank. */
export function checkBlocks(blocks: WantedBlocks, ranks: number): void {
  if (blocks === null || blocksOf(blocks, ranks)) return;
  throw new CrinkleError({
    tag: "BadArgument",
    problem: `The blocks ${typeof blocks === "string" ? blocks : blocks.join("x")} are not one for each of ${ranks} ranks.`,
    remedy: `Give three whole numbers whose product is ${ranks}, such as 1x1x${ranks}.`,
  });
}

/** The blocks that are wanted, where there is one for each of so many ranks. */
export function blocksOf(wanted: WantedBlocks, ranks: number): Triple | undefined {
  if (wanted === "layers") return [1, 1, ranks];
  return factorings(ranks).find((counts) => String(counts) === String(wanted));
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

/** All divisions into a block for each of so many ranks, those with the least along x first, then those with the least along y. */
export function factorings(product: number): Triple[] {
  const divisors = (n: number) => Array.from({ length: n }, (_, i) => i + 1).filter((each) => n % each === 0);
  return divisors(product).flatMap((x) =>
    divisors(product / x).map((y): Triple => [x, y, product / (x * y)]),
  );
}

const largestBlock = (grid: Grid, counts: Triple, ghosts: number): number =>
  Math.max(
    ...cellsOfBlocks(grid, counts).map((cells) =>
      isEmptyBox(cells) ? 0 : boxCount(valuesAround(grid, cells, ghosts)),
    ),
  );
