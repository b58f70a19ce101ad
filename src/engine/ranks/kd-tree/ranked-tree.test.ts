import { describe, expect, it } from "vitest";
import { buildKdTree } from "../../../algorithms/kd-tree/build.ts";
import { depthOf } from "../../../core/kd-tree/kd-tree.ts";
import { pointsOf, shapes } from "../../../core/kd-tree/testing/points.ts";
import { createCpuPrimitives } from "../../../cpu/primitives/cpu-primitives.ts";
import { squareToBox } from "./boxes.ts";
import type { RankedTree } from "./ranked-tree.ts";
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

  it("tells all ranks the boxes of all subtrees", async () => {
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

const pointsIn = ({ subtrees }: RankedTree) => subtrees.reduce((sum, { tree }) => sum + tree.ids.length, 0);
