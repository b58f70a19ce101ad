import { expect, it } from "vitest";
import { rankTint, tinted } from "./rank-tint.ts";

/** Two triangles of a square's halves, the first made by rank 0, the second by rank 1. */
const square = {
  positions: Float32Array.of(0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0),
  normals: Float32Array.of(0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1),
  scalars: undefined,
  indices: Uint32Array.of(0, 1, 2, 0, 2, 3),
};

it("doubles the vertices that two ranks have in common, and leaves the triangles where they are", () => {
  const { positions, normals, scalars, indices } = tinted(square, [1, 2]);
  expect(positions.length / 3).toBe(6);
  expect(normals).toHaveLength(18);
  const ranks = [...indices].map((vertex) => scalars?.[vertex]);
  expect(ranks).toEqual([0, 0, 0, 1, 1, 1]);
  const placed = [...indices].map((vertex) => [...positions.subarray(3 * vertex, 3 * vertex + 3)]);
  expect(placed).toEqual(
    [...square.indices].map((vertex) => [...square.positions.subarray(3 * vertex, 3 * vertex + 3)]),
  );
});

it("passes over ranks without triangles", () => {
  const { scalars, indices } = tinted(square, [0, 1, 1, 2]);
  expect([...indices].map((vertex) => scalars?.[vertex])).toEqual([1, 1, 1, 3, 3, 3]);
});

it("gives neighbouring ranks colours that differ, each on its part of the range", () => {
  const { table, range, bar } = rankTint(3, "#888888");
  const at = (rank: number) => {
    const entry = Math.floor((255 * (rank - range[0])) / (range[1] - range[0]));
    return [...table.subarray(3 * entry, 3 * entry + 3)];
  };
  expect(new Set([0, 1, 2].map((rank) => at(rank).join())).size).toBe(3);
  expect(bar.colors[0]).not.toBe(bar.colors.at(-1));
});
