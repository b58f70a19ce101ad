import { edgeHigh, edgeLow, faces } from "../cube.ts";
import { ambiguousFaces } from "./faces.ts";

/** Two corners on one side of the isovalue that are joined inside the cell, and what is around that joint. */
export interface InnerJoint {
  readonly corners: readonly [number, number];
  readonly ring: Ring;
}

/**
 * A hexagon on the trilinear surface, around a joint. Where D(z) = 0 a slice is cut in two lines that cross, and so it is
 * with slices across x and y: of the box between their places, x₀ … x₁, y₀ … y₁ and z₀ … z₁, six edges lie on the
 * surface. They leave out two opposite corners of the box, between which the joint runs.
 */
export interface Ring {
  /** Six places in the cell, with coordinates in 0 … 1. */
  readonly places: readonly (readonly number[])[];
  /** Their corners of the box. */
  readonly corners: readonly number[];
}

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
export function innerJoints(values: ArrayLike<number>): readonly InnerJoint[] {
  return [0, 1].flatMap((odd) => jointAlong(values, odd) ?? []);
}

/** While the z edges of corners `odd` and 3 − `odd` are above and the other two below. */
function jointAlong(values: ArrayLike<number>, odd: number): InnerJoint | undefined {
  const [a, b, c, d] = odd === 0 ? [0, 3, 1, 2] : [1, 2, 0, 3];
  let first = 0;
  let last = 1;
  for (const edge of [a, b, c, d]) {
    const isWantedAbove = edge === a || edge === b;
    const isLowFit = values[edge] > 0 === isWantedAbove;
    const isHighFit = values[edge + 4] > 0 === isWantedAbove;
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
  const ring = ringBetween(values, Math.max(turn - reach, first), Math.min(turn + reach, last));
  const cornerOn = (edge: number) => (values[edge] > 0 === isAbove ? edge : edge + 4);
  return { corners: isAbove ? [cornerOn(a), cornerOn(b)] : [cornerOn(c), cornerOn(d)], ring };
}

/** From the two slices that are cut in lines. */
function ringBetween(values: ArrayLike<number>, low: number, high: number): Ring {
  const [[xa, ya], [xb, yb]] = [low, high].map((z) => saddleOf(values, z));
  const [x0, x1] = xa < xb ? [0, 1] : [1, 0];
  const [y0, y1] = ya < yb ? [0, 2] : [2, 0];
  return {
    places: [
      [xa, ya, low],
      [xa, yb, low],
      [xa, yb, high],
      [xb, yb, high],
      [xb, ya, high],
      [xb, ya, low],
    ],
    corners: [x0 | y0, x0 | y1, x0 | y1 | 4, x1 | y1 | 4, x1 | y0 | 4, x1 | y0],
  };
}

/** Where the bilinear interpolant in a slice across z has its saddle. */
function saddleOf(values: ArrayLike<number>, z: number): readonly [number, number] {
  const [f00, f10, f01, f11] = [0, 1, 2, 3].map(
    (edge) => values[edge] + z * (values[edge + 4] - values[edge]),
  );
  const twist = f00 - f10 - f01 + f11;
  return [(f00 - f01) / twist, (f00 - f10) / twist];
}

/**
 * The two loops between which a tunnel runs where corners `a` and `b` are joined inside: around each of them the one that faces
 * the same region of the boundary. Undefined where the corners are joined on the boundary, so that there is no tunnel.
 */
export function tunnelLoops(
  above: number,
  joined: number,
  loops: readonly (readonly number[])[],
  [a, b]: readonly [number, number],
): readonly [number, number] | undefined {
  const region = boundaryRegions(above, joined);
  if (region[a] === region[b]) return undefined;
  const isAbove = ((above >> a) & 1) === 1;
  const sides = loops.map(([edge]) => {
    const low = edgeLow[edge];
    const high = edgeHigh[edge];
    const isLowHere = (((above >> low) & 1) === 1) === isAbove;
    return { here: region[isLowHere ? low : high], opposite: region[isLowHere ? high : low] };
  });
  for (const [first, one] of sides.entries()) {
    if (one.here !== region[a]) continue;
    const second = sides.findIndex((other) => other.here === region[b] && other.opposite === one.opposite);
    if (second >= 0) return [first, second];
  }
  return undefined;
}

/** For each corner the smallest corner that it is joined to on the cell's boundary. */
function boundaryRegions(above: number, joined: number): readonly number[] {
  const region = [0, 1, 2, 3, 4, 5, 6, 7];
  const join = (a: number, b: number) => {
    const [low, high] = [Math.min(region[a], region[b]), Math.max(region[a], region[b])];
    for (const corner of region.keys()) if (region[corner] === high) region[corner] = low;
  };
  for (const [edge, low] of edgeLow.entries()) {
    const high = edgeHigh[edge];
    if (((above >> low) & 1) === ((above >> high) & 1)) join(low, high);
  }
  for (const [face, [a, b, c, d]] of faces.entries()) {
    if (((ambiguousFaces[above] >> face) & 1) === 0) continue;
    const isAJoined = ((above >> a) & 1) === ((joined >> face) & 1);
    if (isAJoined) join(a, c);
    else join(b, d);
  }
  return region;
}
