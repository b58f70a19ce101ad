import { type Box, boxCount } from "../../core/box.ts";
import { cellDims, type Grid, type Triple } from "../../core/grid.ts";
import { cellsOfBlocks } from "./blocks.ts";

/** Layers of cells along z for each rank, by the ranks' speeds. */
export interface FairLayers {
  /** The layer behind each rank's last one. */
  readonly ends: readonly number[];
  /** Relative to their mean. */
  readonly speeds: readonly number[];
}

/** Ranks that would be done at times that differ by more than this factor are given other layers … */
const tolerance = 1.25;
/** … if the slowest would then be done so much sooner, since ranks read anew what they have not read. */
const worthwhile = 1.1;

/** Layers in proportion to speeds, at least one for each rank; undefined where there are fewer layers than ranks. */
export function fairLayers(grid: Grid, speeds: readonly number[]): FairLayers | undefined {
  const [, , layers] = cellDims(grid);
  const ranks = speeds.length;
  if (layers < ranks) return undefined;
  const total = speeds.reduce((sum, speed) => sum + speed, 0);
  const ends: number[] = [];
  let before = 0;
  for (const [rank, speed] of speeds.entries()) {
    before += speed;
    const least = (ends.at(-1) ?? 0) + 1;
    const most = layers - (ranks - 1 - rank);
    ends.push(Math.min(most, Math.max(least, Math.round((layers * before) / total))));
  }
  return { ends, speeds };
}

/** Whether fair layers are to take the place of a division. */
export function areFairer(grid: Grid, shares: readonly Box[], fair: FairLayers): boolean {
  const times = (boxes: readonly Box[]) => boxes.map((cells, rank) => boxCount(cells) / fair.speeds[rank]);
  const now = times(shares);
  const then = times(cellsOfLayers(grid, fair.ends));
  return Math.max(...now) > tolerance * Math.min(...now) && Math.max(...now) > worthwhile * Math.max(...then);
}

/** The cells of each rank's layers. */
export function cellsOfLayers(grid: Grid, ends: readonly number[]): Box[] {
  const [nx, ny] = cellDims(grid);
  return ends.map((end, rank) => ({ first: [0, 0, ends[rank - 1] ?? 0], end: [nx, ny, end] }));
}

/** The cells of each rank in a division: of fair layers, or else of blocks. */
export const sharesOf = (
  grid: Grid,
  { counts, fair }: { readonly counts: Triple; readonly fair: FairLayers | null },
): Box[] => (fair ? cellsOfLayers(grid, fair.ends) : cellsOfBlocks(grid, counts));
