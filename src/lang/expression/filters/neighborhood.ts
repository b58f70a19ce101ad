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
