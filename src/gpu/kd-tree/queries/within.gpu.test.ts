import { describe, expect, it } from "vitest";
import { buildKdTree } from "../../../algorithms/kd-tree/build.ts";
import { pointDensity } from "../../../algorithms/kd-tree/density.ts";
import { pointsWithin } from "../../../algorithms/kd-tree/queries.ts";
import { pointsOf, shapes } from "../../../core/kd-tree/testing/points.ts";
import { createCpuPrimitives } from "../../../cpu/primitives/cpu-primitives.ts";
import { Recorder } from "../../compute/recorder.ts";
import { readF32, readU32 } from "../../device/transfer.ts";
import { testGpu } from "../../testing/context.ts";
import { createDensity } from "./density.ts";
import { TestTree } from "./testing/test-tree.ts";
import { createWithin } from "./within.ts";

const gpu = await testGpu();
const recorder = new Recorder(gpu);
const cpu = createCpuPrimitives();
const strategy = { subgroups: true, scan: "chained" } as const;

describe("points within a radius of many places", () => {
  for (const [dimensions, rule] of [
    [3, "alternating"],
    [2, "widest"],
  ] as const) {
    it(`are counted and listed: ${dimensions} dimensions, axes ${rule}`, async () => {
      const within = await createWithin(gpu, { dimensions, isWidest: rule === "widest" }, strategy);
      for (const [shape, radius] of [
        ["random", 0.4],
        ["on a lattice, many equal", 1],
        ["all equal", 0],
        ["clustered", 1],
      ] as const) {
        for (const n of [0, 1, 3, 200]) {
          const points = pointsOf(shape, n, dimensions, n);
          const host = await buildKdTree(cpu, points, dimensions, rule);
          const tree = new TestTree(gpu, host);
          const places = pointsOf(shape, 70, dimensions, 5);
          const queries = tree.view(places, dimensions);
          const [counts, starts] = [0, 1].map(() => tree.room(queries.length));
          const ids = tree.room(70 * 200);
          within.recordLists(recorder, {
            tree: tree.views,
            queries,
            radius,
            counts: counts.view,
            starts: starts.view,
            ids: ids.view,
          });
          recorder.submit();
          const read = (of: typeof ids) => readU32(gpu, of.pooled, of.view.offset, of.view.length);
          const [gotCounts, gotStarts, gotIds] = await Promise.all([counts, starts, ids].map(read));
          tree.release();
          let start = 0;
          for (let query = 0; query < queries.length; query++) {
            const expected = pointsWithin(
              host,
              places.subarray(query * dimensions, (query + 1) * dimensions),
              radius,
            );
            expect([gotCounts[query], gotStarts[query]]).toEqual([expected.ids.length, start]);
            expect(gotIds.slice(start, start + expected.ids.length).sort()).toEqual(expected.ids.sort());
            start += expected.ids.length;
          }
        }
      }
    });
  }

  it("are left out where there is no room, and refused where there is no radius", async () => {
    const within = await createWithin(gpu, { dimensions: 2, isWidest: false }, strategy);
    const host = await buildKdTree(cpu, pointsOf("all equal", 9, 2), 2);
    const tree = new TestTree(gpu, host);
    const queries = tree.view(host.points.slice(), 2);
    const [counts, starts] = [0, 1].map(() => tree.room(9).view);
    const ids = tree.room(50);
    gpu.device.queue.writeBuffer(ids.pooled.buffer, 0, new Uint32Array(57).fill(77));
    const operands = { tree: tree.views, queries, counts, starts, ids: { ...ids.view, length: 40 } };
    within.recordLists(recorder, { ...operands, radius: 1 });
    recorder.submit();
    expect([...(await readU32(gpu, ids.pooled, 7 + 38))]).toEqual([
      ...[38, 39].map((i) => expect.any(Number) && (i % 1 === 0 ? expect.any(Number) : 0)),
      ...Array(10).fill(77),
    ]);
    for (const radius of [-1, Number.NaN]) {
      expect(() => within.recordCounts(recorder, { ...operands, radius })).toThrow(`A radius was ${radius}.`);
    }
    tree.release();
  });
});

describe("local density", () => {
  for (const [dimensions, rule, k] of [
    [3, "alternating", 8],
    [2, "widest", 20],
  ] as const) {
    it(`equals the host's: by ${k} in ${dimensions} dimensions`, async () => {
      const density = await createDensity(gpu, { dimensions, isWidest: rule === "widest" }, k);
      for (const shape of Object.keys(shapes)) {
        for (const n of [0, 1, 2, 5, 200]) {
          const host = await buildKdTree(cpu, pointsOf(shape, n, dimensions, n), dimensions, rule);
          const tree = new TestTree(gpu, host);
          const densities = tree.room(n);
          density.record(recorder, { tree: tree.views, densities: densities.view });
          recorder.submit();
          const got = await readF32(gpu, densities.pooled, densities.view.offset, n);
          tree.release();
          for (const [i, expected] of pointDensity(host, k).entries()) {
            if (Number.isFinite(expected))
              expect(Math.abs(got[i] - expected)).toBeLessThanOrEqual(4e-6 * expected);
            else expect(got[i]).toBe(expected);
          }
        }
      }
    });
  }
});
