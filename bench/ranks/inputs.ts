// What the algorithms over ranks are given: each rank makes its own part.
import type { UniformGrid } from "../../src/core/grid.ts";

/** A rank among others. */
export interface RankPlace {
  readonly rank: number;
  readonly size: number;
}

/** Of the tangle's surface. */
export const isovalue = 0.25;

/** The planes from `from` up to `end` of a grid. */
export function partOf(grid: UniformGrid, [from, end]: readonly [number, number]): UniformGrid {
  const [x, y, z] = grid.origin;
  const dims = [grid.dims[0], grid.dims[1], end - from] as const;
  return { ...grid, dims, origin: [x, y, z + from * grid.spacing[2]] };
}

/** The planes of a rank, of n that all ranks share evenly. */
export const planesOf = ({ rank, size }: RankPlace, n: number): readonly [number, number] => [
  Math.floor((rank * n) / size),
  Math.floor(((rank + 1) * n) / size),
];

function randomWords(n: number, seed: number): Uint32Array {
  const words = new Uint32Array(n);
  let state = seed;
  for (let i = 0; i < n; i++) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    words[i] = (state ^ (state >>> 15) ^ (state << 13)) >>> 0;
  }
  return words;
}

/** This rank's part of n random words. */
export function wordsOf({ rank, size }: RankPlace, n: number): Uint32Array {
  const start = (of: number) => Math.floor((of * n) / size);
  return randomWords(start(rank + 1) - start(rank), rank + 1);
}

/** Coordinates of this rank's part of n random points, along each axis. */
export function coordinatesOf(place: RankPlace, n: number): readonly Float32Array<ArrayBuffer>[] {
  const words = wordsOf(place, n);
  return [0, 1, 2].map((axis) =>
    Float32Array.from(words, (word) => (Math.imul(word, 2 * axis + 1) >>> 0) / 2 ** 32),
  );
}
