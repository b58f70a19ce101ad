/** The last of some increasing coordinates that is not above `position`, and the share of the way to the next. */
export interface Between {
  readonly index: number;
  /** In [0, 1): 0 at a coordinate. */
  readonly t: number;
}

/** Undefined outside the coordinates. */
export function between(coordinates: Float64Array, position: number): Between | undefined {
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
