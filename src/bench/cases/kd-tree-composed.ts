import { buildKdTree, halvedOrder } from "../../algorithms/kd-tree/build.ts";
import { nodesAbove } from "../../algorithms/kd-tree/nodes-above.ts";
import { nearestPoints, pointsWithin } from "../../algorithms/kd-tree/queries.ts";
import { createGpuPrimitives } from "../../gpu/primitives/gpu-primitives/gpu-primitives.ts";
import type { BenchCase } from "../case.ts";
import { timeAsync } from "../measure.ts";
import { tangleField, uniformGrid } from "./fields.ts";
import { isTree, randomNumbers } from "./kd-tree-bench.ts";

/** The build on the primitives of the GPU, with its waits. */
const composedCase: BenchCase = {
  name: "kd-tree/composed",
  async run({ gpu, isQuick, n = 2 ** (isQuick ? 10 : 20) }) {
    const points = randomNumbers(3 * n);
    const p = await createGpuPrimitives(gpu);
    const axes = [0, 1, 2].map((axis) =>
      p.fromHost(
        "f32",
        points.filter((_, k) => k % 3 === axis),
      ),
    );
    const ms = await timeAsync(gpu, async () => {
      const order = await halvedOrder(p, axes);
      await p.front(order);
      order.release();
    });
    const tree = await buildKdTree(p, points, 3);
    const place = points.subarray(0, 3);
    const [nearest, ...others] = nearestPoints(tree, place, 8).ids;
    const around = pointsWithin(tree, place, 0).ids;
    const verified = isTree(tree, points) && others.length === 7 && around.includes(nearest);
    for (const axis of axes) axis.release();
    return { n, ms, bytes: 24 * n, verified };
  },
};

/** The places where the tangle field is above 0, and their order in a tree. */
const aboveCase: BenchCase = {
  name: "kd-tree/composed_above",
  async run({ gpu, isQuick, n = isQuick ? 8 : 64 }) {
    const grid = uniformGrid([n, n, n], -3, 6);
    const p = await createGpuPrimitives(gpu);
    const values = p.fromHost("f32", Float32Array.from(tangleField(grid).data, Number));
    const find = () => nodesAbove(p, grid, "node", values, 0);
    const ms = await timeAsync(gpu, async () => {
      const { indices, coordinates } = await find();
      const order = await halvedOrder(p, coordinates);
      await p.front(order);
      for (const vector of [indices, order, ...coordinates]) vector.release();
    });
    const { indices, coordinates } = await find();
    const along = await Promise.all(coordinates.map((vector) => p.toHost(vector)));
    const points = Float32Array.from(
      { length: 3 * indices.length },
      (_, i) => along[i % 3][Math.floor(i / 3)],
    );
    const verified = indices.length > 0 && isTree(await buildKdTree(p, points, 3, "widest"), points);
    for (const vector of [values, indices, ...coordinates]) vector.release();
    return { n: n ** 3, ms, bytes: 4 * n ** 3, verified };
  },
};

export const composedTreeCases: readonly BenchCase[] = [composedCase, aboveCase];
