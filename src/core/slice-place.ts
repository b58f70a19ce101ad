import { CrinkleError } from "./errors.ts";

/** A plane across axis 0, 1 or 2 at a coordinate in physical units. */
export interface SliceRequest {
  readonly axis: number;
  readonly position: number;
}

/** Throws BadArgument where the axis is none, or the coordinate not finite. */
export function checkSlice({ axis, position }: SliceRequest): void {
  if (!Number.isFinite(position)) {
    throw new CrinkleError({
      tag: "BadArgument",
      problem: `The slice's coordinate ${position} is not a finite number.`,
      remedy: "Choose a coordinate inside the grid's bounds.",
    });
  }
  if (axis === 0 || axis === 1 || axis === 2) return;
  throw new CrinkleError({
    tag: "BadArgument",
    problem: `A slice has no axis ${axis}.`,
    remedy: "Choose 0, 1 or 2: x, y or z.",
  });
}

/** The last of some increasing coordinates that is not above a position, and the share of the way to the next. */
export interface SlicePlace {
  readonly index: number;
  /** In [0, 1): 0 at a coordinate. */
  readonly t: number;
}

/**
 * Whether a slice is one of the cells [first, end) of those between `nodes` nodes along its axis. A slice through nodes is one of
 * the cells above them, and of the last cells where none are above.
 */
export function isSliceOf({ index }: SlicePlace, first: number, end: number, nodes: number): boolean {
  const layer = Math.max(0, Math.min(index, nodes - 2));
  return layer >= first && layer < end;
}

/** Undefined outside the coordinates. */
export function slicePlace(coordinates: Float64Array, position: number): SlicePlace | undefined {
  const last = coordinates.length - 1;
  if (!(position >= coordinates[0] && position <= coordinates[last])) return undefined;
  let low = 0;
  let high = last;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (coordinates[middle] <= position) low = middle;
    else high = middle;
  }
  if (position === coordinates[high]) return { index: high, t: 0 };
  return { index: low, t: (position - coordinates[low]) / (coordinates[high] - coordinates[low]) };
}
