import { expect, it } from "vitest";
import { buildKdTree } from "../../algorithms/kd-tree/build.ts";
import { pointsOf, shapes } from "../../core/kd-tree/testing/points.ts";
import { createCpuPrimitives } from "../primitives/cpu-primitives.ts";
import { subtreeOrder } from "./subtree-order.ts";

/** The rank of each point: equal coordinates by their rank along the first axis. */
function ranksOf(points: Float32Array, dimensions: number): Uint32Array[] {
  const count = points.length / dimensions;
  const ranks: Uint32Array[] = [];
  for (let axis = 0; axis < dimensions; axis++) {
    const x = (i: number) => points[dimensions * i + axis];
    const order = Array.from({ length: count }, (_, i) => i).sort(
      (i, j) => x(i) - x(j) || (axis === 0 ? i - j : ranks[0][i] - ranks[0][j]),
    );
    const rank = new Uint32Array(count);
    for (const [at, i] of order.entries()) rank[i] = at;
    ranks.push(rank);
  }
  return ranks;
}

it("is that of the composed build", async () => {
  for (const dimensions of [2, 3]) {
    for (const shape of Object.keys(shapes)) {
      for (const n of [0, 1, 2, 3, 6, 64, 301]) {
        const points = pointsOf(shape, n, dimensions, n);
        const { ids } = await buildKdTree(createCpuPrimitives(), points, dimensions);
        expect(subtreeOrder(ranksOf(points, dimensions), 0), `${n} points ${shape}`).toEqual(ids);
      }
    }
  }
});

it("begins with the axis that it is given", () => {
  const [x, y] = [Uint32Array.of(0, 1, 2), Uint32Array.of(1, 2, 0)];
  expect([...subtreeOrder([x, y], 0)]).toEqual([1, 0, 2]);
  expect([...subtreeOrder([x, y], 1)]).toEqual([0, 2, 1]);
});
