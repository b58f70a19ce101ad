import type { Triple } from "../../../core/grid.ts";
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

/** A box of elements of a grid, of which the first is the `to`-th of a range. */
export interface Box {
  readonly origin: Triple;
  readonly extents: Triple;
  readonly to: number;
}

/** The boxes that the `count` elements from `first` on fill, in order, x fastest: at most five. */
export function* boxesOf([nx, ny]: Triple, first: number, count: number): Generator<Box> {
  for (let to = 0; to < count; ) {
    const at = first + to;
    const i = at % nx;
    const row = (at - i) / nx;
    const origin: Triple = [i, row % ny, Math.floor(row / ny)];
    const left = count - to;
    const extents: Triple =
      i > 0 || left < nx
        ? [Math.min(nx - i, left), 1, 1]
        : origin[1] > 0 || left < nx * ny
          ? [nx, Math.min(ny - origin[1], Math.floor(left / nx)), 1]
          : [nx, ny, Math.floor(left / (nx * ny))];
    yield { origin, extents, to };
    to += extents[0] * extents[1] * extents[2];
  }
}
