import type { Neighborhood } from "./filter.ts";

/** Calls `visit(at, [i, j, k], to)` for `count` elements in order, x fastest: `at` from `first`, `to` from 0. */
export function forEachElement(
  dims: Neighborhood["dims"],
  first: number,
  count: number,
  visit: (at: number, index: readonly number[], to: number) => void,
): void {
  const [nx, ny] = dims;
  const index = [first % nx, Math.floor(first / nx) % ny, Math.floor(first / (nx * ny))];
  for (let e = 0; e < count; e++) {
    visit(first + e, index, e);
    if (++index[0] === nx) {
      index[0] = 0;
      if (++index[1] === ny) {
        index[1] = 0;
        index[2]++;
      }
    }
  }
}

/**
 * Calls `visit(at, [i, j, k], to, length)` for the rows that `count` elements from `first` on lie in: for the part of a
 * row, of one j and k, that is among them.
 */
export function forEachRow(
  dims: Neighborhood["dims"],
  first: number,
  count: number,
  visit: (at: number, index: readonly [number, number, number], to: number, length: number) => void,
): void {
  const [nx, ny] = dims;
  for (let to = 0; to < count; ) {
    const at = first + to;
    const i = at % nx;
    const row = (at - i) / nx;
    const length = Math.min(nx - i, count - to);
    visit(at, [i, row % ny, Math.floor(row / ny)], to, length);
    to += length;
  }
}
