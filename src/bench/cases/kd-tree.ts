import { buildKdTree, halvedOrder } from "../../algorithms/kd-tree/build.ts";
import { nearestPoints, pointsWithin } from "../../algorithms/kd-tree/queries.ts";
import { axisOf, type KdTree } from "../../core/kd-tree/kd-tree.ts";
import { createGpuPrimitives } from "../../gpu/primitives/gpu-primitives/gpu-primitives.ts";
import type { BenchCase } from "../case.ts";
import { timeAsync } from "../measure.ts";

/** Numbers in [0, 1), from their positions. */
function randomWords(n: number): Float32Array<ArrayBuffer> {
  const words = new Float32Array(n);
  for (let i = 0; i < n; i++) {
    let mixed = Math.imul(i ^ (i >>> 16), 0x21f0aaad) + 0x9e3779b9;
    mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a2d97);
    words[i] = ((mixed ^ (mixed >>> 15)) >>> 8) / 2 ** 24;
  }
  return words;
}

/** Whether each node's point is the one that its id tells, and lies where its parent says. */
function isTree(tree: KdTree, points: Float32Array): boolean {
  const { dimensions, ids } = tree;
  const seen = new Uint8Array(ids.length);
  for (let node = 0; node < ids.length; node++) {
    seen[ids[node]] = 1;
    for (let axis = 0; axis < dimensions; axis++) {
      if (tree.points[node * dimensions + axis] !== points[ids[node] * dimensions + axis]) return false;
    }
    // Every node above sets a bound.
    for (let below = node; below > 0; ) {
      const above = (below - 1) >> 1;
      const axis = axisOf(tree, above);
      const beyond = tree.points[node * dimensions + axis] - tree.points[above * dimensions + axis];
      if (below % 2 === 1 ? beyond > 0 : beyond < 0) return false;
      below = above;
    }
  }
  return !seen.includes(0);
}

/** The build on the primitives of the GPU, with its waits. */
const composedCase: BenchCase = {
  name: "kd-tree/composed",
  async run({ gpu, isQuick, n = 2 ** (isQuick ? 10 : 20) }) {
    const points = randomWords(3 * n);
    const p = await createGpuPrimitives(gpu);
    const axes = [0, 1, 2].map((axis) =>
      p.fromHost(
        "f32",
        points.filter((_, k) => k % 3 === axis),
      ),
    );
    const ms = await timeAsync(async () => {
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

export const kdTreeCases: readonly BenchCase[] = [composedCase];
