import { describe, expect, it } from "vitest";
import { buildKdTree } from "../../../algorithms/kd-tree/build.ts";
import type { KdTree } from "../../../core/kd-tree/kd-tree.ts";
import { nearestByForce } from "../../../core/kd-tree/testing/oracles.ts";
import { pointsOf, shapes } from "../../../core/kd-tree/testing/points.ts";
import { createCpuPrimitives } from "../../../cpu/primitives/cpu-primitives.ts";
import { Recorder } from "../../compute/recorder.ts";
import { readF32, readU32 } from "../../device/transfer.ts";
import { testGpu } from "../../testing/context.ts";
import { createNearest } from "./nearest.ts";
import { TestTree } from "./testing/test-tree.ts";

const gpu = await testGpu();
const recorder = new Recorder(gpu);
const cpu = createCpuPrimitives();

async function check(host: KdTree, points: Float32Array, places: Float32Array<ArrayBuffer>, k: number) {
  const { dimensions } = host;
  const tree = new TestTree(gpu, host);
  const queries = tree.view(places, dimensions);
  const [ids, squares] = [0, 1].map(() => tree.room(queries.length, k));
  const nearest = await createNearest(gpu, tree.shape, k);
  nearest.record(recorder, { tree: tree.views, queries, ids: ids.view, squares: squares.view });
  recorder.submit();
  const gotIds = await readU32(gpu, ids.pooled, ids.view.offset, queries.length * k);
  const gotSquares = await readF32(gpu, squares.pooled, squares.view.offset, queries.length * k);
  tree.release();
  for (let query = 0; query < queries.length; query++) {
    const place = places.subarray(query * dimensions, (query + 1) * dimensions);
    const expected = nearestByForce(points, place, k);
    const got = gotSquares.subarray(query * k, (query + 1) * k);
    const found = gotIds.subarray(query * k, query * k + expected.length);
    expect([...got.subarray(expected.length)]).toEqual(Array(k - expected.length).fill(Infinity));
    expect(new Set(found).size).toBe(expected.length);
    for (const [at, square] of expected.entries()) {
      // Squares are rounded at each step.
      expect(Math.abs(got[at] - square)).toBeLessThanOrEqual(1e-6 * square);
      const [own] = nearestByForce(
        points.subarray(found[at] * dimensions, (found[at] + 1) * dimensions),
        place,
      );
      expect(Math.abs(own - square)).toBeLessThanOrEqual(1e-6 * square);
    }
  }
}

describe("the nearest points of many places", () => {
  for (const [dimensions, rule, k] of [
    [3, "alternating", 8],
    [2, "widest", 1],
    [3, "widest", 33],
    [2, "alternating", 64],
  ] as const) {
    it(`are those that brute force finds: ${k} in ${dimensions} dimensions, axes ${rule}`, async () => {
      const some = k > 8 ? ["random", "on a lattice, many equal", "clustered"] : Object.keys(shapes);
      for (const shape of some) {
        for (const n of [0, 1, 3, 40, 300]) {
          const points = pointsOf(shape, n, dimensions, n);
          const tree = await buildKdTree(cpu, points, dimensions, rule);
          await check(tree, points, new Float32Array(tree.points), k);
          if (n !== 40) await check(tree, points, pointsOf("random", 50, dimensions, 9), k);
        }
      }
    });
  }

  it("are 1 to 64", async () => {
    const shape = { dimensions: 3, isWidest: false } as const;
    await expect(createNearest(gpu, shape, 65)).rejects.toThrow("The 65 nearest points");
    await expect(createNearest(gpu, shape, 0)).rejects.toThrow("The 0 nearest points");
  });
});
