import type { Triple } from "../../../../core/grid.ts";

/** How a tiled kernel covers a grid. */
export interface Tiling {
  /** Threads of a workgroup along x and y, at most 256 together. */
  readonly tile: readonly [number, number];
  /** Tiles along x and y, and runs of planes along z. */
  readonly tiles: Triple;
  /** Planes in a run, which each thread walks along. */
  readonly depth: number;
}

const threads = 256;
/** 64 × 4 threads and 8 planes were the fastest of 28 shapes for the gradient of a vector field on an H100. */
const widest = 64;
const deepest = 8;
/** Workgroups that keep a large GPU busy: only beyond them do threads walk, to reuse what they have read. */
const enoughGroups = 2048;

/** Rows of about 64 threads where the grid allows, of nearly equal tiles, so that few threads idle. */
export function chooseTiling([nx, ny, nz]: Triple): Tiling {
  const narrow = partSize(nx, widest);
  const tall = partSize(ny, Math.floor(threads / narrow));
  const wide = partSize(nx, Math.max(widest, Math.floor(threads / tall)));
  const tilesX = Math.ceil(nx / wide);
  const tilesY = Math.ceil(ny / tall);
  const depth = Math.min(Math.max(Math.floor((tilesX * tilesY * nz) / enoughGroups), 1), deepest);
  return { tile: [wide, tall], tiles: [tilesX, tilesY, Math.ceil(nz / depth)], depth };
}

/** The size of n's nearly equal parts of at most `max`, a multiple of 8 where it is larger. */
function partSize(n: number, max: number): number {
  const part = Math.ceil(n / Math.ceil(n / max));
  return part <= 8 ? part : Math.min(Math.ceil(part / 8) * 8, max);
}
