import { describe, expect, it } from "vitest";
import { nearestByForce } from "../../core/kd-tree/testing/oracles.ts";
import { pointsOf, randomNumbers, shapes } from "../../core/kd-tree/testing/points.ts";
import { createCpuPrimitives } from "../../cpu/primitives/cpu-primitives.ts";
import { buildKdTree } from "./build.ts";
import { nearestPoints, pointsWithin } from "./queries.ts";

const p = createCpuPrimitives();

describe("queries of one place", () => {
  for (const dimensions of [2, 3]) {
    for (const rule of ["alternating", "widest"] as const) {
      it(`find what brute force finds: ${dimensions} dimensions, axes ${rule}`, async () => {
        const random = randomNumbers(7);
        for (const shape of Object.keys(shapes)) {
          for (const n of [0, 1, 2, 3, 60, 300]) {
            const points = pointsOf(shape, n, dimensions, n);
            const tree = await buildKdTree(p, points, dimensions, rule);
            for (let query = 0; query < 6; query++) {
              const isPoint = n > 0 && query % 2 === 0;
              const place = Array.from({ length: dimensions }, (_, axis) =>
                isPoint ? points[(query % n) * dimensions + axis] : 4 * random() - 2,
              );
              const expected = nearestByForce(points, place);
              for (const k of [0, 1, 5, 70]) {
                const found = nearestPoints(tree, place, k);
                expect([...found.squares]).toEqual(expected.slice(0, k));
                expect(new Set(found.ids).size).toBe(found.ids.length);
                for (const [at, id] of found.ids.entries()) {
                  const [square] = nearestByForce(
                    points.subarray(id * dimensions, (id + 1) * dimensions),
                    place,
                  );
                  expect(square).toBe(found.squares[at]);
                }
              }
              const radius = Math.sqrt(expected[Math.min(9, n - 1)] ?? 1);
              const within = pointsWithin(tree, place, radius);
              expect([...within.squares]).toEqual(expected.filter((square) => square <= radius ** 2));
            }
          }
        }
      });
    }
  }

  it("prefer the lower index of points that are equally near", async () => {
    for (const shape of ["on a lattice, many equal", "all equal"]) {
      const points = pointsOf(shape, 90, 2);
      const tree = await buildKdTree(p, points, 2);
      for (let i = 0; i < 90; i += 7) {
        const place = points.subarray(2 * i, 2 * i + 2);
        const byForce = Array.from({ length: 90 }, (_, id) => {
          const [square] = nearestByForce(points.subarray(2 * id, 2 * id + 2), place);
          return { id, square };
        }).sort((a, b) => a.square - b.square || a.id - b.id);
        for (const k of [1, 6, 40]) {
          expect([...nearestPoints(tree, place, k).ids]).toEqual(byForce.slice(0, k).map(({ id }) => id));
        }
      }
    }
  });

  it("find each point once where distances are infinite", async () => {
    const far = Number.POSITIVE_INFINITY;
    const tree = await buildKdTree(p, Float32Array.of(0, 0, far, 1, 1, -far), 2);
    const { ids, squares } = nearestPoints(tree, [0, 0], 3);
    expect(ids[0]).toBe(0);
    expect([...ids].sort()).toEqual([0, 1, 2]);
    expect([...squares]).toEqual([0, far, far]);
    expect([...nearestPoints(tree, [far, 0], 3).ids].sort()).toEqual([0, 1, 2]);
  });

  it("refuse what is no place, number or radius", async () => {
    const tree = await buildKdTree(p, Float32Array.of(0, 0, 1, 1), 2);
    expect(() => nearestPoints(tree, [0], 1)).toThrow("in a tree of 2 dimensions");
    expect(() => nearestPoints(tree, [0, Number.NaN], 1)).toThrow("Points near (0, NaN)");
    expect(() => nearestPoints(tree, [0, 0], -1)).toThrow("The -1 nearest points");
    expect(() => nearestPoints(tree, [0, 0], 1.5)).toThrow("The 1.5 nearest points");
    expect(() => pointsWithin(tree, [0, 0], Number.NaN)).toThrow("A radius was NaN.");
  });
});
