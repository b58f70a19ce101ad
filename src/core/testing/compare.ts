/** How far two arrays may differ: |got − expected| ≤ absolute + relative · |expected|. NaN equals NaN, ∞ equals ∞. */
export interface Tolerance {
  readonly absolute?: number;
  readonly relative?: number;
}

/** Throws unless the arrays agree; the message says where the first and the worst difference are, got and expected. */
export function expectArraysClose(
  got: ArrayLike<number>,
  expected: ArrayLike<number>,
  { absolute = 0, relative = 0 }: Tolerance = {},
  what = "array",
): void {
  if (got.length !== expected.length) {
    throw new Error(`${what}: got ${got.length} values, expected are ${expected.length}`);
  }
  let wrong = 0;
  let first = -1;
  let worst = -1;
  let worstExcess = 0;
  for (let i = 0; i < expected.length; i++) {
    const g = got[i];
    const d = expected[i];
    if (Object.is(g, d) || g === d || (Number.isNaN(g) && Number.isNaN(d))) continue;
    const excess = Math.abs(g - d) - (absolute + relative * Math.abs(d));
    if (excess <= 0) continue;
    wrong++;
    if (first < 0) first = i;
    if (worst < 0 || !(excess <= worstExcess)) {
      worst = i;
      worstExcess = excess;
    }
  }
  if (wrong === 0) return;
  const at = (i: number) =>
    `[${i}] got ${got[i]}, expected ${expected[i]} (off by ${Math.abs(got[i] - expected[i])})`;
  throw new Error(
    `${what}: ${wrong} of ${expected.length} values differ (absolute ${absolute}, relative ${relative})\n` +
      `  first ${at(first)}\n  worst ${at(worst)}`,
  );
}
