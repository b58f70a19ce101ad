/** How results are cut into tiles that are read along the source's rows and written along their own. */
import type { IndexMap } from "../../core/hypercube/index-map.ts";
import { dividedAt, placesIn, type TileDigit, tileDigits } from "./tile-digits.ts";

/** Bytes of a tile, 16 for each thread of a workgroup: two to eight times as many were slower on an H100 (docs/performance.md). */
const tileBytes = 4096;

/** Bytes that memory moves together, and those that a subgroup reads at once. */
const sectorBytes = 32;
const lineBytes = 128;

/** Within so many bytes of the result the cache serves reads that are apart. */
const nearbyBytes = 1024;

/** Tiles of a digit from which on it does not matter that the last one is not full. */
const manyTiles = 8;

/** A tile of a result: a range of each digit of its index. */
export interface Tile {
  readonly digits: readonly TileDigit[];
  /** Values of each digit that are in the tile. */
  readonly extents: readonly number[];
  /** Neighbours that a thread reads from the source, and writes into the result, at a time. */
  readonly widths: { readonly source: number; readonly result: number };
}

const product = (numbers: readonly number[]): number => numbers.reduce((all, n) => all * n, 1);

/** Elements of a tile. */
export const tileSize = ({ extents }: Tile): number => product(extents);

/** Tiles along each digit. */
export const tileCounts = ({ digits, extents }: Tile): number[] =>
  digits.map(({ radix }, place) => Math.ceil(radix / extents[place]));

/** Workgroups that cover the result, a tile each. */
export const tileCount = (tile: Tile): number => product(tileCounts(tile));

/** The tile of a map of elements of so many bytes; undefined where what is read is of neighbours or near each other anyway. */
export function tileOf(map: IndexMap, bytes: 4 | 8 | 16): Tile | undefined {
  const whole = tileDigits(map);
  if (!whole || isNearby(whole, bytes)) return undefined;
  let digits = whole;
  const widths = { source: 1, result: 1 };
  for (const order of ["result", "source"] as const) {
    for (let width = 16 / bytes; width > widths[order]; width /= 2) {
      const parts = dividedAt(digits, order, width);
      if (!parts) continue;
      digits = parts;
      widths[order] = width;
    }
  }
  return { digits, extents: evened(digits, grown(digits, widths, tileBytes / bytes)), widths };
}

/** Whether the source's neighbours are neighbours in the result, or near each other. */
function isNearby(digits: readonly TileDigit[], bytes: number): boolean {
  const places = placesIn(digits, "source");
  let run = 1;
  for (const [position, place] of places.entries()) {
    if (position !== place) break;
    run *= digits[place].radix;
  }
  if (run * bytes >= sectorBytes) return true;
  let [read, span] = [1, 1];
  for (const place of places) {
    const extent = Math.min(digits[place].radix, Math.ceil(lineBytes / bytes / read));
    if (extent > 1) span = Math.max(span, extent * product(digits.slice(0, place).map(({ radix }) => radix)));
    read *= extent;
  }
  return span * bytes <= nearbyBytes;
}

/** The extents of a tile of about `goal` elements whose rows are as long in the source as in the result. */
function grown(digits: readonly TileDigit[], widths: Tile["widths"], goal: number): number[] {
  const extents = digits.map(() => 1);
  const orders = (["result", "source"] as const).map((order) => placesIn(digits, order));
  for (const [k, width] of [widths.result, widths.source].entries()) {
    let left = width;
    for (const place of orders[k]) {
      if (left === 1) break;
      extents[place] = digits[place].radix;
      left /= digits[place].radix;
    }
  }
  for (;;) {
    const runs = orders.map((places) => {
      const next = places.findIndex((place) => extents[place] < digits[place].radix);
      const own = next < 0 ? places : places.slice(0, next + 1);
      return {
        next: places[next],
        length: next < 0 ? Number.POSITIVE_INFINITY : product(own.map((p) => extents[p])),
      };
    });
    const { next } = runs[0].length <= runs[1].length ? runs[0] : runs[1];
    if (next === undefined) return extents;
    const extent = Math.min(digits[next].radix, 2 * extents[next]);
    if ((product(extents) / extents[next]) * extent > goal) return extents;
    extents[next] = extent;
  }
}

/** Extents that leave less of the last tile empty, where a digit has few tiles. */
function evened(digits: readonly TileDigit[], extents: readonly number[]): number[] {
  return extents.map((extent, place) => {
    const tiles = Math.ceil(digits[place].radix / extent);
    return tiles < manyTiles ? Math.ceil(digits[place].radix / tiles) : extent;
  });
}
