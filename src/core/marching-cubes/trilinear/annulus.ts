import { edgeCount } from "../cube.ts";
import { chordCost, isFaceChord } from "../triangulate.ts";
import type { Patch } from "./patch.ts";

/**
 * Triangles between two loops, which run in opposite senses around the tunnel that joins them: with edges from loop to
 * loop alone where none needs to lie in a face of the cell, else in two halves, each around an inner vertex.
 */
export function annulus(one: readonly number[], other: readonly number[]): Patch {
  return strip(one, other) ?? halves(one, other);
}

/**
 * The strip of triangles around the tunnel with the shortest edges between the loops, no two of them between the same
 * places, by trying all strips; undefined where each has an edge in a face.
 */
function strip(one: readonly number[], other: readonly number[]): Patch | undefined {
  const m = one.length;
  const n = other.length;
  let least = Number.POSITIVE_INFINITY;
  let best: readonly number[] | undefined;
  const crossed = new Set<number>();
  /** Goes on from the edge between place i of one loop and, backwards from `start`, place j of the other. */
  const extend = (start: number, i: number, j: number, cost: number, triangles: readonly number[]): void => {
    if (i === m && j === n) {
      least = cost;
      best = triangles;
      return;
    }
    const p = one[i % m];
    const q = other[(start + n - j) % n];
    const edge = p * edgeCount + q;
    const total = cost + chordCost(p, q);
    if (total >= least || isFaceChord(p, q) || crossed.has(edge)) return;
    crossed.add(edge);
    if (i < m) extend(start, i + 1, j, total, [...triangles, p, one[(i + 1) % m], q]);
    if (j < n) extend(start, i, j + 1, total, [...triangles, other[(start + 2 * n - j - 1) % n], q, p]);
    crossed.delete(edge);
  };
  for (let start = 0; start < n; start++) extend(start, 0, 0, 0, []);
  return best && { triangles: best, fans: [] };
}

/** Cut in two by two edges from loop to loop, short and opposite to each other. */
function halves(one: readonly number[], other: readonly number[]): Patch {
  const m = one.length;
  const n = other.length;
  let least = Number.POSITIVE_INFINITY;
  let best: readonly (readonly number[])[] = [];
  for (let i = 0; i < m * n; i++) {
    for (let j = 0; j < m * n; j++) {
      const [a, b, c, d] = [i % m, Math.floor(i / m), j % m, Math.floor(j / m)];
      if (a >= c || b === d) continue;
      if (isFaceChord(one[a], other[b]) || isFaceChord(one[c], other[d])) continue;
      const turns = [2 * (c - a) - m, 2 * ((b - d + n) % n) - n];
      const lengths = chordCost(one[a], other[b]) + chordCost(one[c], other[d]);
      const cost = lengths + turns[0] ** 2 + turns[1] ** 2;
      if (cost >= least) continue;
      least = cost;
      best = [
        [...stretch(one, a, c), ...stretch(other, d, b)],
        [...stretch(one, c, a), ...stretch(other, b, d)],
      ];
    }
  }
  return { triangles: [], fans: best };
}

/** The part of a loop from one of its places to another, both with it. */
function stretch(loop: readonly number[], first: number, last: number): number[] {
  const length = ((last - first + loop.length) % loop.length) + 1;
  return Array.from({ length }, (_, step) => loop[(first + step) % loop.length]);
}
