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
 * Calls `visit(at, i, j, k, to, length)` for each row, or part of one, that `count` elements from `first` on fill: its
 * first element is `at`, at i, j, k, and the `to`-th of them.
 */
export function forEachRow(
  dims: Neighborhood["dims"],
  first: number,
  count: number,
  visit: (at: number, i: number, j: number, k: number, to: number, length: number) => void,
): void {
  const [nx, ny] = dims;
  for (let to = 0, length = 0; to < count; to += length) {
    const at = first + to;
    const i = at % nx;
    const row = (at - i) / nx;
    length = Math.min(nx - i, count - to);
    visit(at, i, row % ny, Math.floor(row / ny), to, length);
  }
}
