import { edgeHigh, edgeLow } from "../cube.ts";
import { firstInner } from "./patch.ts";

/** Where the ring's vertices are taken to be, of the way through the cell: in the middle, not as far as the loops. */
const ringReach = [0.35, 0.65];

/**
 * Triangles between two loops, which run in opposite senses around a tunnel, and a ring of six inner vertices between
 * them, numbered from `firstInner`; `corners` are those of the ring's box.
 */
export function annulus(
  one: readonly number[],
  other: readonly number[],
  corners: readonly number[],
): number[] {
  const placeOf = (vertex: number) =>
    vertex < firstInner ? middleOf(vertex) : inBox(corners[vertex - firstInner]);
  const ring = corners.map((_, i) => firstInner + i);
  const isAlong = dot(areaOf(one.map(placeOf)), areaOf(ring.map(placeOf))) > 0;
  const back = isAlong ? ring.toReversed() : ring;
  return [...strip(one, back, placeOf), ...strip(back.toReversed(), other, placeOf)];
}

type PlaceOf = (vertex: number) => readonly number[];

/** The strip of triangles between two loops of opposite senses with the shortest edges from one to the other. */
function strip(one: readonly number[], other: readonly number[], placeOf: PlaceOf): readonly number[] {
  const m = one.length;
  const n = other.length;
  let least = Number.POSITIVE_INFINITY;
  let best: readonly number[] = [];
  const crossed = new Set<string>();
  /** Goes on from the edge between place i of one loop and, backwards from `start`, place j of the other. */
  const extend = (start: number, i: number, j: number, cost: number, triangles: readonly number[]): void => {
    if (i === m && j === n) {
      least = cost;
      best = triangles;
      return;
    }
    const p = one[i % m];
    const q = other[(start + n - j) % n];
    const edge = `${p} ${q}`;
    const total = cost + squaredDistance(placeOf(p), placeOf(q));
    if (total >= least || crossed.has(edge)) return;
    crossed.add(edge);
    if (i < m) extend(start, i + 1, j, total, [...triangles, p, one[(i + 1) % m], q]);
    if (j < n) extend(start, i, j + 1, total, [...triangles, other[(start + 2 * n - j - 1) % n], q, p]);
    crossed.delete(edge);
  };
  for (let start = 0; start < n; start++) extend(start, 0, 0, 0, []);
  return best;
}

const middleOf = (edge: number): readonly number[] =>
  [0, 1, 2].map((d) => (((edgeLow[edge] >> d) & 1) + ((edgeHigh[edge] >> d) & 1)) / 2);

const inBox = (corner: number): readonly number[] => [0, 1, 2].map((d) => ringReach[(corner >> d) & 1]);

const squaredDistance = (p: readonly number[], q: readonly number[]): number =>
  p.reduce((sum, x, d) => sum + (x - q[d]) ** 2, 0);

const dot = (p: readonly number[], q: readonly number[]): number =>
  p.reduce((sum, x, d) => sum + x * q[d], 0);

/** Twice the area vector of a polygon. */
function areaOf(polygon: readonly (readonly number[])[]): readonly number[] {
  return [0, 1, 2].map((d) => {
    const [u, v] = [(d + 1) % 3, (d + 2) % 3];
    return polygon.reduce((sum, p, i) => {
      const q = polygon[(i + 1) % polygon.length];
      return sum + p[u] * q[v] - p[v] * q[u];
    }, 0);
  });
}
