import { describe, expect, it } from "vitest";
import { pointsOf } from "../../core/kd-tree/testing/points.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import { createCpuPrimitives } from "../../cpu/primitives/cpu-primitives.ts";
import { createDistributedPrimitives } from "../../distributed/distributed-primitives.ts";
import { counting } from "../../distributed/testing/counting.ts";
import { inProcess } from "../../distributed/testing/in-process.ts";
import { buildKdTree, halvedOrder } from "./build.ts";

const cpu = createCpuPrimitives();

/** Of those that are powers of two, one. */
const sizes = process.env.CRINKLE_SWEEP === "1" ? [1, 2, 3, 4, 7] : [1, 2, 3, 7];

/** Runs an algorithm on all ranks at the same time; what each of them returns. */
const overRanks = <R>(size: number, algorithm: (p: Primitives) => Promise<R>): Promise<R[]> =>
  Promise.all(
    inProcess(size).map((communicator) =>
      algorithm(createDistributedPrimitives(communicator, createCpuPrimitives())),
    ),
  );

const coordinatesOf = (p: Primitives, points: Float32Array, dimensions: number) =>
  Array.from({ length: dimensions }, (_, axis) =>
    p.fromHost(
      "f32",
      points.filter((_, k) => k % dimensions === axis),
    ),
  );

describe("a KD-tree over ranks", () => {
  it.each(sizes)("is one rank's to the bit on %i ranks", async (size) => {
    for (const shape of ["random", "on a lattice, many equal", "all equal"]) {
      for (const n of [0, 3, 40]) {
        const dimensions = n % 2 === 0 ? 3 : 2;
        const points = pointsOf(shape, n, dimensions, n);
        for (const rule of ["alternating", "widest"] as const) {
          const alone = await buildKdTree(cpu, points, dimensions, rule);
          for (const tree of await overRanks(size, (p) => buildKdTree(p, points, dimensions, rule)))
            expect(tree, `${n} points ${shape}`).toEqual(alone);
        }
        const halved = async (p: Primitives) => [
          ...(await p.toHost(await halvedOrder(p, coordinatesOf(p, points, dimensions)))),
        ];
        const alone = await halved(cpu);
        for (const order of await overRanks(size, halved)) expect(order).toEqual(alone);
      }
    }
  });
});

/** The words that all ranks send in each level of halving, which begins with a reverse scan of segments. */
async function sentPerLevel(size: number, n: number): Promise<number[]> {
  const points = pointsOf("random", n, 3, n);
  const sent = await Promise.all(
    inProcess(size).map(async (communicator) => {
      const counted = counting(communicator);
      const p = createDistributedPrimitives(counted, createCpuPrimitives());
      const marks: number[] = [];
      const watched: Primitives = {
        ...p,
        async inclusiveScanByKey(segments, values, operator, options) {
          if (options?.reverse) marks.push(counted.sent);
          return p.inclusiveScanByKey(segments, values, operator, options);
        },
      };
      await halvedOrder(watched, coordinatesOf(watched, points, 3));
      marks.push(counted.sent);
      return marks.slice(1).map((mark, level) => mark - marks[level]);
    }),
  );
  return sent[0].map((_, level) => sent.reduce((sum, levels) => sum + levels[level], 0));
}

/** Totals of scans and ends of parts, for each rank and level: whatever does not grow with the points. */
const few = 96;
const n = 8192;

describe("the words that travel in the levels of a tree", () => {
  it.each([1, 2, 4])("are few after the first log₂ %i, where halves end where parts end", async (size) => {
    const sent = await sentPerLevel(size, n);
    const first = Math.log2(size);
    for (const [level, words] of sent.entries()) {
      if (level < first) expect(words, `level ${level}`).toBeGreaterThan(n);
      else expect(words, `level ${level}`).toBeLessThanOrEqual(few * size);
    }
  });

  it.each([
    [3, n],
    [4, n - 1],
    [7, n],
  ])("halve with the points of segments that lie on several of %i ranks", async (size, count) => {
    const sent = await sentPerLevel(size, count);
    for (const [level, words] of sent.entries()) {
      const inSegments = (size - 1) * Math.ceil(count / 2 ** level);
      expect(words, `level ${level}`).toBeLessThanOrEqual(16 * inSegments + 2 * few * size);
    }
  });
});
