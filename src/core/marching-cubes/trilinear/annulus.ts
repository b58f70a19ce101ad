import { edgeHigh, edgeLow } from "../cube.ts";
import { firstInner } from "./patch.ts";

/** Where the ring's vertices are taken to be, of the way through the cell: in the middle, not as far as the loops. */
const ringReach = [0.35, 0.65];

/**
 * Triangles, which turn against the loops, between two of these, which run in opposite senses around a tunnel, and a ring
 * of six inner vertices between them, numbered from `firstInner`; `corners` are those of the ring's box.
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
  const lengths = one.map((p) => other.map((q) => squaredDistance(placeOf(p), placeOf(q))));
  let best: Way = { cost: Number.POSITIVE_INFINITY, steps: [] };
  let bestStart = 0;
  for (let start = 0; start < n; start++) {
    const way = shortestWay(m, n, (i, j) => lengths[i % m][(start + n - j) % n]);
    if (way.cost >= best.cost) continue;
    best = way;
    bestStart = start;
  }
  let [i, j] = [0, 0];
  return best.steps.flatMap((step) => {
    const p = one[i % m];
    const q = other[(bestStart + n - j) % n];
    return step === 0 ? [p, q, one[++i % m]] : [other[(bestStart + n - ++j) % n], p, q];
  });
}

/** Steps along the one loop (0) and, backwards, along the other (1). */
interface Way {
  readonly cost: number;
  readonly steps: readonly number[];
}

/** Runs of equal steps; with fewer than four, an edge between the loops would be there twice. */
const minRuns = 4;

/**
 * Once around loops of m and n vertices, by dynamic programming over how far along each, which step was the last, and
 * how many runs there were; `lengthAt` is the length of the edge after i and j steps.
 */
function shortestWay(m: number, n: number, lengthAt: (i: number, j: number) => number): Way {
  const costs = new Float64Array((m + 1) * (n + 1) * 2 * minRuns).fill(Number.POSITIVE_INFINITY);
  const before = new Uint8Array(costs.length);
  const first = (i: number, j: number) => ((n + 1) * i + j) * 2 * minRuns;
  for (let i = 0; i <= m; i++) {
    for (let j = 0; j <= n; j++) {
      for (const step of [0, 1]) {
        if (step === 0 ? i === 0 : j === 0) continue;
        const to = first(i, j) + minRuns * step;
        const from = step === 0 ? first(i - 1, j) : first(i, j - 1);
        const length = lengthAt(i, j);
        if (i + j === 1) costs[to] = length;
        for (let last = 0; last < 2 * minRuns; last++) {
          const runs = (last % minRuns) + (Math.floor(last / minRuns) === step ? 0 : 1);
          const state = to + Math.min(runs, minRuns - 1);
          const cost = costs[from + last] + length;
          if (cost >= costs[state]) continue;
          costs[state] = cost;
          before[state] = last;
        }
      }
    }
  }
  const end = first(m, n);
  let state = minRuns - 1;
  if (costs[end + state + minRuns] < costs[end + state]) state += minRuns;
  const cost = costs[end + state];
  const steps: number[] = [];
  for (let [i, j] = [m, n]; i + j > 0; ) {
    const step = Math.floor(state / minRuns);
    steps.push(step);
    state = before[first(i, j) + state];
    if (step === 0) i--;
    else j--;
  }
  return { cost, steps: steps.reverse() };
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
