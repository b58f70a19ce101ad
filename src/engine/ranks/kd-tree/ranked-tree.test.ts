import { describe, expect, it } from "vitest";
import { buildKdTree } from "../../../algorithms/kd-tree/build.ts";
import { depthOf } from "../../../core/kd-tree/kd-tree.ts";
import { pointsOf, shapes } from "../../../core/kd-tree/testing/points.ts";
import { subtreeOrder } from "../../../cpu/kd-tree/subtree-order.ts";
import { createCpuPrimitives } from "../../../cpu/primitives/cpu-primitives.ts";
import { createDistributedPrimitives } from "../../../distributed/distributed-primitives.ts";
import { counting } from "../../../distributed/testing/counting.ts";
import { inProcess } from "../../../distributed/testing/in-process.ts";
import { squareToBox } from "./boxes.ts";
import { buildRankedTree, type RankedTree } from "./ranked-tree.ts";
import { onTreeRanks } from "./testing/on-tree-ranks.ts";

const cpu = createCpuPrimitives();

describe("a KD-tree of ranks' parts", () => {
  it.each([1, 2, 3, 4, 7])("is one rank's tree, in subtrees, on %i ranks", async (size) => {
    for (const [number, shape] of Object.keys(shapes).entries()) {
      for (const n of [1, 5, 150]) {
        const dimensions = 2 + (number % 2);
        const points = pointsOf(shape, n, dimensions, n);
        const whole = await buildKdTree(cpu, points, dimensions);
        const trees = await onTreeRanks(size, points, dimensions, async ({ tree }) => tree);
        const ids = new Uint32Array(n);
        const coordinates = new Float32Array(points.length);
        let nodes = 0;
        for (const { root, tree } of trees.flatMap(({ subtrees }) => subtrees)) {
          for (let below = 0; below < tree.ids.length; below++, nodes++) {
            const node = below + root * 2 ** depthOf(below);
            ids[node] = tree.ids[below];
            for (let axis = 0; axis < dimensions; axis++)
              coordinates[dimensions * node + axis] = tree.points[dimensions * below + axis];
          }
        }
        expect(nodes).toBe(n);
        expect(ids).toEqual(whole.ids);
        expect(coordinates).toEqual(whole.points);
        if (n > 100)
          expect(Math.max(...trees.map(pointsIn)), `${shape}`).toBeLessThanOrEqual((1.3 * n) / size + 2);
      }
    }
  });

  it("sends nothing for the levels of subtrees", async () => {
    const [few, many] = [await exchangesOf(4, 1 << 9), await exchangesOf(4, 1 << 13)];
    // Four levels more; where sorts part equal points decides whether a map leads to another rank.
    expect(Math.abs(many.exchanges - few.exchanges)).toBeLessThan(4);
    expect(many.words).toBeGreaterThan(8 * few.words);
    expect(many.words).toBeLessThan(16 * few.words);
  });

  it("gives all ranks the boxes of all subtrees", async () => {
    const points = pointsOf("clustered", 90, 3);
    const trees = await onTreeRanks(3, points, 3, async ({ tree }) => tree);
    for (const { boxes } of trees) expect(boxes).toEqual(trees[0].boxes);
    for (const [rank, { subtrees, boxes }] of trees.entries()) {
      for (const [t, { tree }] of subtrees.entries()) {
        for (let i = 0; i < tree.ids.length; i++)
          expect(squareToBox(boxes[rank], 6 * t, tree.points.subarray(3 * i, 3 * i + 3))).toBe(0);
      }
    }
  });
});

/** How often a rank exchanges words for a tree of n points, and how many of them it sends. */
async function exchangesOf(size: number, n: number) {
  const local = createCpuPrimitives();
  const [first] = await Promise.all(
    inProcess(size).map(async (communicator) => {
      let exchanges = 0;
      const counted = counting({
        ...communicator,
        allgather: (data) => {
          exchanges++;
          return communicator.allgather(data);
        },
        alltoall: (parts) => {
          exchanges++;
          return communicator.alltoall(parts);
        },
      });
      const all = createDistributedPrimitives(counted, local);
      const coordinates = [0, 1, 2].map((axis) => pointsOf("random", n / size, 3, axis).slice(0, n / size));
      const { rank } = communicator;
      await buildRankedTree({ rank, size, local, all, orderOf: subtreeOrder }, coordinates);
      return { exchanges, words: counted.sent };
    }),
  );
  return first;
}

const pointsIn = ({ subtrees }: RankedTree) => subtrees.reduce((sum, { tree }) => sum + tree.ids.length, 0);
