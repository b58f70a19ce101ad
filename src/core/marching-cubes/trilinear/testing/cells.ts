import type { CellSurface } from "../cell.ts";

/** Random numbers in 0 … 1, the same in each run. */
export function randoms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

export const aboveOf = (values: readonly number[]) =>
  values.reduce((bits, value, corner) => (value > 0 ? bits | (1 << corner) : bits), 0);

/** Values of many sizes with these corners above. */
export function valuesOf(above: number, random: () => number): number[] {
  return Array.from({ length: 8 }, (_, c) => 10 ** (2 * random()) * (((above >> c) & 1) === 1 ? 1 : -1));
}

export function trianglesOf({ triangles }: CellSurface): number[][] {
  return Array.from({ length: triangles.length / 3 }, (_, t) => triangles.slice(3 * t, 3 * t + 3));
}
