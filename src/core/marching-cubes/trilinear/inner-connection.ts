/** A connection of two corners on one side of the isovalue inside the cell. */
export interface InnerConnection {
  /**
   * Which z edges are above and below around it (8), whether corners above are joined (4), and whether y (2) and x (1) fall
   * along the ring.
   */
  readonly kind: number;
  /**
   * A ring on the trilinear surface, around the connection. Where D(z) = 0 a slice is cut in two lines that cross, and so it is
   * with slices across x and y: of the box between their places, x₀ … x₁, y₀ … y₁ and z₀ … z₁, six edges lie on the
   * surface. They leave out two opposite corners of the box, between which the connection runs. Coordinates in 0 … 1.
   */
  readonly ring: readonly (readonly number[])[];
}

/** How many kinds `InnerConnection.kind` distinguishes. */
export const connectionKinds = 16;

/** The box around a ring is taken to be flat, and to fall, where its sides differ less. */
export const flatRing = 2 ** -12;

/**
 * Pairs of corners that the trilinear interpolant may join inside a cell though not on its boundary: a tunnel runs
 * between them unless they are joined there too. `values` are the corners' values less the isovalue.
 *
 * In each slice the interpolant is bilinear, and its four corners move along the cell's z edges. The corners above are
 * joined in a slice unless they are two opposite ones; then its saddle decides, as on a face: they are joined where
 * D(z) = f00·f11 − f10·f01 is positive (with f00 and f11 above), else the corners below are. While the four keep
 * their signs, D is a parabola. Corners that are joined at an end of that range are so on the cell's boundary too: in
 * the face, or, where one of the four crosses the isovalue there, around it. A tunnel is what remains: D exceeds 0
 * (or falls below it) only within the range, between its two roots. D's discriminant is Cayley's hyperdeterminant of
 * the eight values, the same for slices across x and y.
 */
export function innerConnections(above: number, values: ArrayLike<number>): readonly InnerConnection[] {
  return [0, 1].flatMap((odd) => connectionAlong(above, values, odd) ?? []);
}

/** The z edges, by their lower corners, of the two corners above and the two below, on opposite sides of a slice. */
export const zEdges = [
  [0, 3, 1, 2],
  [1, 2, 0, 3],
] as const;

export const isAboveIn = (above: number, corner: number): boolean => ((above >> corner) & 1) === 1;

/** While the z edges of corners `odd` and 3 − `odd` are above and the other two below. */
function connectionAlong(above: number, values: ArrayLike<number>, odd: number): InnerConnection | undefined {
  const [a, b, c, d] = zEdges[odd];
  let first = 0;
  let last = 1;
  for (const edge of [a, b, c, d]) {
    const isWantedAbove = edge === a || edge === b;
    const isLowFit = isAboveIn(above, edge) === isWantedAbove;
    const isHighFit = isAboveIn(above, edge + 4) === isWantedAbove;
    if (isLowFit && isHighFit) continue;
    if (!isLowFit && !isHighFit) return undefined;
    const crossing = values[edge] / (values[edge] - values[edge + 4]);
    if (isLowFit) last = Math.min(last, crossing);
    else first = Math.max(first, crossing);
  }
  const [ra, rb, rc, rd] = [a, b, c, d].map((edge) => values[edge + 4] - values[edge]);
  const square = ra * rb - rc * rd;
  const linear = values[a] * rb + values[b] * ra - values[c] * rd - values[d] * rc;
  const constant = values[a] * values[b] - values[c] * values[d];
  const discriminant = linear * linear - 4 * square * constant;
  const turn = -linear / (2 * square);
  if (!(turn > first && turn < last)) return undefined;
  const isAbove = square < 0;
  if (isAbove ? !(discriminant > 0) : !(discriminant >= 0)) return undefined;
  const reach = Math.sqrt(discriminant) / Math.abs(2 * square);
  const between = [Math.max(turn - reach, first), Math.min(turn + reach, last)] as const;
  const [[xa, ya], [xb, yb]] = between.map((z) => saddleOf(values, z));
  const [za, zb] = between;
  const kind = 8 * odd + (isAbove ? 4 : 0) + (ya > yb - flatRing ? 2 : 0) + (xa > xb - flatRing ? 1 : 0);
  const ring = [
    [xa, ya, za],
    [xa, yb, za],
    [xa, yb, zb],
    [xb, yb, zb],
    [xb, ya, zb],
    [xb, ya, za],
  ];
  return { kind, ring };
}

/** Where the bilinear interpolant in a slice across z has its saddle. */
function saddleOf(values: ArrayLike<number>, z: number): readonly [number, number] {
  const [f00, f10, f01, f11] = [0, 1, 2, 3].map(
    (edge) => values[edge] + z * (values[edge + 4] - values[edge]),
  );
  const twist = f00 - f10 - f01 + f11;
  return [(f00 - f01) / twist, (f00 - f10) / twist];
}
