/**
 * The largest difference between values of the same names, as a share of the largest finite magnitude in `expected`
 * (the difference itself where that is 0). NaN agrees with NaN; a finite value and one that is not are infinitely apart.
 */
export function largestDifference(
  found: ReadonlyMap<string, ArrayLike<number | bigint>>,
  expected: ReadonlyMap<string, ArrayLike<number | bigint>>,
): number {
  let largest = 0;
  for (const [name, data] of expected) {
    const other = found.get(name);
    if (other?.length !== data.length) return Number.POSITIVE_INFINITY;
    let difference = 0;
    let magnitude = 0;
    for (let i = 0; i < data.length; i++) {
      const a = Number(other[i]);
      const b = Number(data[i]);
      if (Number.isFinite(b)) magnitude = Math.max(magnitude, Math.abs(b));
      if (!Object.is(a, b) && a !== b) difference = Math.max(difference, distance(a, b));
    }
    largest = Math.max(largest, magnitude > 0 ? difference / magnitude : difference);
  }
  return largest;
}

function distance(a: number, b: number): number {
  const d = Math.abs(a - b);
  return Number.isNaN(d) ? Number.POSITIVE_INFINITY : d;
}
