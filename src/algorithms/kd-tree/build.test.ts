import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { leftBalanced } from "../../core/kd-tree/splits.ts";
import { expectKdTree, expectWidestAxes } from "../../core/kd-tree/testing/oracles.ts";
import { infinitePoints, pointsOf, shapes } from "../../core/kd-tree/testing/points.ts";
import { createCpuPrimitives } from "../../cpu/primitives/cpu-primitives.ts";
import { buildKdTree, halvedOrder } from "./build.ts";

const p = createCpuPrimitives();

/** Indices in the order that sorting each segment by one axis after the other gives. */
function halvedByForce(points: Float32Array, dimensions: number): number[] {
  const before = (a: number, b: number, axis: number) =>
    points[a * dimensions + axis] - points[b * dimensions + axis] ||
    points[a * dimensions] - points[b * dimensions] ||
    a - b;
  const visit = (ids: number[], axis: number): number[] => {
    if (ids.length < 2) return ids;
    const sorted = ids.toSorted((a, b) => before(a, b, axis));
    const next = (axis + 1) % dimensions;
    const median = sorted.length >> 1;
    return [...visit(sorted.slice(0, median), next), ...visit(sorted.slice(median), next)];
  };
  return visit([...Array(points.length / dimensions).keys()], 0);
}

async function halved(points: Float32Array, dimensions: number): Promise<number[]> {
  const axes = Array.from({ length: dimensions }, (_, axis) =>
    p.fromHost(
      "f32",
      points.filter((_, k) => k % dimensions === axis),
    ),
  );
  return [...(await p.toHost(await halvedOrder(p, axes)))];
}

describe("a left-balanced tree", () => {
  for (const dimensions of [2, 3]) {
    for (const rule of ["alternating", "widest"] as const) {
      it(`bounds every point of ${dimensions} coordinates, axes ${rule}`, async () => {
        for (const shape of Object.keys(shapes)) {
          for (const n of [0, 1, 2, 3, 4, 5, 6, 7, 8, 31, 500]) {
            const points = pointsOf(shape, n, dimensions, n);
            expectKdTree(await buildKdTree(p, points, dimensions, rule), points);
          }
        }
      });
    }
  }

  it("bounds any points", async () => {
    const coordinate = fc.oneof(
      fc.integer({ min: -3, max: 3 }),
      fc.float({ noNaN: true, noDefaultInfinity: true }),
    );
    const property = fc.asyncProperty(
      fc.constantFrom(2, 3),
      fc.constantFrom("alternating" as const, "widest" as const),
      fc.array(fc.tuple(coordinate, coordinate, coordinate), { maxLength: 70 }),
      async (dimensions, rule, rows) => {
        const points = Float32Array.from(rows.flatMap((row) => row.slice(0, dimensions)));
        expectKdTree(await buildKdTree(p, points, dimensions, rule), points);
      },
    );
    await fc.assert(property, { numRuns: 60 });
  });

  it("divides along the first of the widest axes, where coordinates are infinite, too", async () => {
    for (const dimensions of [2, 3]) {
      for (const n of [1, 2, 3, 7, 40, 300]) {
        for (const points of [
          infinitePoints(n, dimensions),
          ...Object.keys(shapes).map((shape) => pointsOf(shape, n, dimensions, n)),
        ]) {
          const tree = await buildKdTree(p, points, dimensions, "widest");
          expectKdTree(tree, points);
          expectWidestAxes(tree);
        }
      }
    }
  });

  it("divides along the widest axis", async () => {
    const points = Float32Array.of(0, 0, 1, 9, 2, 4, 0.5, 5, 1, 6);
    const { ids, axes } = await buildKdTree(p, points, 2, "widest");
    expect([...ids]).toEqual([4, 2, 1, 0, 3]);
    expect([...axes!]).toEqual([1, 1, 0, 0, 0]);
  });

  it("is left-balanced", () => {
    expect(Array.from({ length: 17 }, (_, n) => leftBalanced.left(n))).toEqual([
      0, 0, 1, 1, 2, 3, 3, 3, 4, 5, 6, 7, 7, 7, 7, 7, 8,
    ]);
  });

  it("refuses what are no points", async () => {
    await expect(buildKdTree(p, Float32Array.of(1, 2, 3, Number.NaN), 2)).rejects.toThrow(
      "Coordinate 1 of point 1 is NaN.",
    );
    await expect(buildKdTree(p, new Float32Array(5), 2)).rejects.toThrow("5 coordinates in 2 dimensions");
    await expect(buildKdTree(p, new Float32Array(4), 1)).rejects.toThrow("2 or 3 coordinates");
    const [two, three] = [2, 3].map((n) => p.fromHost("f32", new Float32Array(n)));
    await expect(async () => halvedOrder(p, [two, three])).rejects.toThrow("2 and 3 coordinates");
  });
});

describe("halving", () => {
  it("leaves each point at its leaf", async () => {
    for (const dimensions of [2, 3]) {
      for (const shape of Object.keys(shapes)) {
        for (const n of [0, 1, 2, 3, 5, 8, 13, 64, 333]) {
          const points = pointsOf(shape, n, dimensions, n);
          expect(await halved(points, dimensions)).toEqual(halvedByForce(points, dimensions));
        }
      }
    }
  });
});
