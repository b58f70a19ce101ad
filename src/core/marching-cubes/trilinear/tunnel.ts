import { edgeHigh, edgeLow, faces } from "../cube.ts";
import { ambiguousFaces } from "./faces.ts";
import { isAboveIn, zEdges } from "./inner-connection.ts";

/** A tunnel through a cell. */
export interface Tunnel {
  /** The loops that it joins. */
  readonly loops: readonly [number, number];
  /** Which corners of their box the six places of the connection's ring are. */
  readonly ringCorners: readonly number[];
}

/**
 * The tunnel that an inner connection of a kind makes; undefined where its corners are joined on the boundary, or where no
 * values have such a connection. It runs between opposite corners of the cell: of one of the regions that it joins and of the
 * other or, beside a third loop, of a corner alone and of one that a region of three is around. Where rounding turns a ring
 * otherwise, it is taken to run so.
 */
export function tunnelOf(
  above: number,
  joined: number,
  loops: readonly (readonly number[])[],
  kind: number,
): Tunnel | undefined {
  const corners = loops.length > 1 ? jointCorners(above, kind) : undefined;
  if (!corners) return undefined;
  const region = boundaryRegions(above, joined);
  const between = tunnelLoops(above, region, loops, corners);
  if (!between) return undefined;
  const isEnd = (corner: number) => corners.some((end) => region[end] === region[corner]);
  const sizeAt = (corner: number) => region.filter((other) => other === region[corner]).length;
  const isAround = loops.length === 3 && corners.some((end) => sizeAt(end) === 3);
  const doesRun = (ring: readonly number[]) => {
    const [a, b] = [0, 1, 2, 3, 4, 5, 6, 7].filter((corner) => !ring.includes(corner));
    if (region[a] !== region[b] && isEnd(a) && isEnd(b)) return true;
    return isAround && [a, b].some((corner) => isEnd(corner) && sizeAt(corner) === 1);
  };
  const ring = [kind & 3, 0, 1, 2, 3].map(cornersOfRing).find(doesRun);
  return ring && { loops: between, ringCorners: ring };
}

/**
 * The corners that a connection along z joins, on one side of the isovalue; undefined where these z edges are above and below
 * in no slice.
 */
function jointCorners(above: number, kind: number): readonly [number, number] | undefined {
  const [a, b, c, d] = zEdges[kind >> 3];
  const isAbove = (kind & 4) !== 0;
  const isThere = (edge: number, wanted: boolean) =>
    isAboveIn(above, edge) === wanted || isAboveIn(above, edge + 4) === wanted;
  if (!(isThere(a, true) && isThere(b, true) && isThere(c, false) && isThere(d, false))) return undefined;
  const cornerOn = (edge: number) => (isAboveIn(above, edge) === isAbove ? edge : edge + 4);
  return isAbove ? [cornerOn(a), cornerOn(b)] : [cornerOn(c), cornerOn(d)];
}

/** Corners of the box of a connection's ring. */
function cornersOfRing(kind: number): readonly number[] {
  const [x0, x1] = (kind & 1) !== 0 ? [1, 0] : [0, 1];
  const [y0, y1] = (kind & 2) !== 0 ? [2, 0] : [0, 2];
  return [x0 | y0, x0 | y1, x0 | y1 | 4, x1 | y1 | 4, x1 | y0 | 4, x1 | y0];
}

/**
 * The two loops between which a tunnel runs where corners `a` and `b` are joined inside: around each of them the one that faces
 * the same region of the boundary. Undefined where the corners are joined on the boundary, so that there is no tunnel.
 */
function tunnelLoops(
  above: number,
  region: readonly number[],
  loops: readonly (readonly number[])[],
  [a, b]: readonly [number, number],
): readonly [number, number] | undefined {
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
