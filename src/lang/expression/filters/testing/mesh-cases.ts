import { describe, expect, it } from "vitest";
import { type Grid, nodeCoordinates, valueCount, valueDims } from "../../../../core/grid.ts";
import { expectArraysClose } from "../../../../core/testing/compare.ts";
import { type Run, repeated } from "../../execute/testing/analytic.ts";
import { dataSetOf, randomGrid, sample, sampledField, uniformGrid } from "../../execute/testing/data-sets.ts";

const ulp = 2 ** -23;
const sum = (values: ArrayLike<number>) => Array.from(values).reduce((a, b) => a + b, 0);

/** A field p at the nodes and one c in the cells, both 0: what makes values of the grid take their place. */
const dataOn = (grid: Grid) =>
  dataSetOf(
    grid,
    sampledField(grid, "p", "node", () => 0),
    sampledField(grid, "c", "cell", () => 0),
  );

/** Values of the grid alone; every strategy must give them. */
export function describeMeshCases(run: Run): void {
  describe("cell_size, cell_volume and area", () => {
    it("fill the grid", async () => {
      const grid = randomGrid([6, 5, 7], 41, [100, -3, 0]);
      const axes = [0, 1, 2].map((axis) => nodeCoordinates(grid, axis));
      const extent = axes.map((c) => c[c.length - 1] - c[0]);
      const got = await run("v = cell_volume(); s = cell_size(); a = area(); m = volume() + p", dataOn(grid));
      const [nx, ny] = valueDims(grid, "cell");
      const expected = Array.from({ length: valueCount(grid, "cell") }, (_, e) => {
        const index = [e % nx, Math.floor(e / nx) % ny, Math.floor(e / (nx * ny))];
        return axes.map((c, axis) => c[index[axis] + 1] - c[index[axis]]);
      });
      expectArraysClose(got.s, expected.flat(), { relative: 4 * ulp });
      expectArraysClose(
        got.v,
        expected.map(([x, y, z]) => x * y * z),
        { relative: 12 * ulp },
      );
      expectArraysClose(
        got.a,
        expected.map(([x, y, z]) => 2 * (x * y + y * z + z * x)),
        { relative: 12 * ulp },
      );
      expect(sum(got.v)).toBeCloseTo(extent[0] * extent[1] * extent[2], 5);
      expect(got.m[0]).toBeCloseTo(got.v[0], 6);
      expect(got.m.length).toBe(210);
    });

    it("are 0 along flat directions, and area the rectangle's", async () => {
      const grid = uniformGrid([5, 1, 3], 2);
      const got = await run("v = cell_volume(); s = cell_size(); a = area()", dataOn(grid));
      expectArraysClose(got.v, repeated(grid, "cell", [0]));
      expectArraysClose(got.s, repeated(grid, "cell", [0.5, 0, 1]));
      expectArraysClose(got.a, repeated(grid, "cell", [0.5]));
    });
  });

  describe("min_coord and max_coord", () => {
    it("are the bounds at every value, far from the origin too", async () => {
      const grid = randomGrid([4, 3, 5], 42, [1000, -20, 0]);
      const high = [0, 1, 2].map((axis) => Number(nodeCoordinates(grid, axis).at(-1)));
      const got = await run(
        "a = min_coord(); b = max_coord() + {c, 0, 0}; f = (coords() - min_coord())[2] / (max_coord() - min_coord())[2]",
        dataOn(grid),
      );
      expectArraysClose(got.a, repeated(grid, "node", [1000, -20, 0]));
      expectArraysClose(got.b, repeated(grid, "cell", high), { relative: ulp });
      expectArraysClose(
        got.f,
        sample(grid, "node", (_x, _y, z) => z / high[2]),
        { absolute: 4 * ulp },
      );
    });
  });

  describe("node_id, zone_id, indices and rank", () => {
    it("count nodes and cells, x fastest", async () => {
      const grid = randomGrid([4, 3, 5], 43);
      const got = await run(
        "n = node_id(); z = zone_id(); i = indices(); j = indices() + {c, 0, 0}; r = rank()",
        dataOn(grid),
      );
      expectArraysClose(
        got.n,
        Array.from({ length: 60 }, (_, e) => e),
      );
      expectArraysClose(
        got.z,
        Array.from({ length: 24 }, (_, e) => e),
      );
      const places = (nx: number, ny: number, nz: number) =>
        Array.from({ length: nx * ny * nz }, (_, e) => [
          e % nx,
          Math.floor(e / nx) % ny,
          Math.floor(e / nx / ny),
        ]);
      expectArraysClose(got.i, places(4, 3, 5).flat());
      expectArraysClose(got.j, places(3, 2, 4).flat());
      expectArraysClose(got.r, [0]);
    });

    it("count cells of flat grids", async () => {
      const got = await run("z = zone_id() + c", dataOn(uniformGrid([3, 1, 4])));
      expectArraysClose(got.z, [0, 1, 2, 3, 4, 5]);
    });
  });

  describe("random", () => {
    it("is spread evenly over [0, 1), and differs from place to place and seed to seed", async () => {
      const grid = uniformGrid([20, 20, 20]);
      const got = await run(
        "a = random(1); b = random(2); c = random(); d = random(1) - a; e = random(0) - c",
        dataOn(grid),
      );
      for (const name of ["a", "b", "c"]) {
        const values = Array.from(got[name]);
        expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
        expect(Math.max(...values)).toBeLessThan(1);
        // Five standard deviations of 8000 draws: of a mean 1/√12, of a tenth's share √0.09.
        expect(Math.abs(sum(values) / 8000 - 0.5)).toBeLessThan((5 / Math.sqrt(12)) * 8000 ** -0.5);
        for (let tenth = 0; tenth < 10; tenth++) {
          const share = values.filter((value) => Math.floor(10 * value) === tenth).length / 8000;
          expect(Math.abs(share - 0.1), `${name}, ${tenth} tenths`).toBeLessThan(5 * 0.3 * 8000 ** -0.5);
        }
        expect(new Set(values).size).toBeGreaterThan(7980);
      }
      const correlation = (k: (e: number) => number, l: (e: number) => number) =>
        sum(Array.from({ length: 7600 }, (_, e) => 12 * (k(e) - 0.5) * (l(e) - 0.5))) / 7600;
      const [a, b] = [(e: number) => got.a[e], (e: number) => got.b[e]];
      for (const other of [
        b,
        (e: number) => got.a[e + 1],
        (e: number) => got.a[e + 20],
        (e: number) => got.a[e + 400],
      ]) {
        expect(Math.abs(correlation(a, other))).toBeLessThan(5 * 7600 ** -0.5);
      }
      expectArraysClose(got.d, repeated(grid, "node", [0]));
      expectArraysClose(got.e, repeated(grid, "node", [0]));
    });

    it("gives the same numbers everywhere and for ever", async () => {
      const got = await run("r = random(7)", dataOn(uniformGrid([3, 2, 1])));
      expectArraysClose(got.r, firstNumbers);
    });
  });

  describe("divide, clamp and identity", () => {
    it("take the value given where the divisor is small", async () => {
      const grid = uniformGrid([5, 1, 1], 4);
      const dataSet = dataSetOf(
        grid,
        sampledField(grid, "f", "node", (x) => x - 2),
        sampledField(grid, "v", "node", (x) => [x, 2 * x, -x]),
      );
      const got = await run(
        "a = divide(1, f); b = divide(1, f, 9); c = divide(1, f, 9, 1); d = divide(v, f, {7, 8, 9}); e = clamp(f, -1, 1.5); g = identity(f); h = trace(identity()) + 0 * f",
        dataSet,
      );
      expectArraysClose(got.a, [-0.5, -1, Number.POSITIVE_INFINITY, 1, 0.5]);
      expectArraysClose(got.b, [-0.5, -1, 9, 1, 0.5]);
      expectArraysClose(got.c, [-0.5, 9, 9, 9, 0.5]);
      expectArraysClose(got.d, [0, 0, 0, -1, -2, 1, 7, 8, 9, 3, 6, -3, 2, 4, -2]);
      expectArraysClose(got.e, [-1, -1, 0, 1, 1.5]);
      expectArraysClose(got.g, [-2, -1, 0, 1, 2]);
      expectArraysClose(got.h, [3, 3, 3, 3, 3]);
    });
  });
}

/** random(7) of 3 × 2 nodes, by the hash written again in Python: texts must keep their results. */
const firstNumbers = [
  0.5729483366012573, 0.9526979923248291, 0.5490413308143616, 0.035202980041503906, 0.8848689794540405,
  0.36770522594451904,
];
