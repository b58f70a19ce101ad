import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Grid, valueDims } from "../../../../core/grid.ts";
import { expectArraysClose } from "../../../../core/testing/compare.ts";
import {
  centering,
  type Run,
  rectilinear,
  repeated,
  slopes,
  type Vector,
} from "../../execute/testing/analytic.ts";
import { dataSetOf, randomGrid, sample, sampledField, uniformGrid } from "../../execute/testing/data-sets.ts";

const ulp = 2 ** -23;

/** Second derivatives and flows known in closed form; every strategy must give them. */
export function describeDerivativeCases(run: Run, runs: number): void {
  describe("hessian", () => {
    it("is exact for quadratic fields on every rectilinear grid, and its trace is the Laplacian", async () => {
      await fc.assert(
        fc.asyncProperty(rectilinear, centering, slopes, slopes, slopes, async (grid, place, a, b, c) => {
          const value = (x: number, y: number, z: number) =>
            a[0] * x * x +
            a[1] * y * y +
            a[2] * z * z +
            b[0] * x * y +
            b[1] * x * z +
            b[2] * y * z +
            c[0] * x -
            c[1] * z;
          const dataSet = dataSetOf(grid, sampledField(grid, "f", place, value));
          const got = await run("h = hessian(f); t = trace(hessian(f)) - laplacian(f)", dataSet);
          const dims = valueDims(grid, place);
          const second = a.map((s, axis) => (dims[axis] > 2 ? 2 * s : 0));
          const mixed = (k: number, p: number, q: number) => (dims[p] > 1 && dims[q] > 1 ? b[k] : 0);
          const [xy, xz, yz] = [mixed(0, 0, 1), mixed(1, 0, 2), mixed(2, 1, 2)];
          const expected = [second[0], xy, xz, xy, second[1], yz, xz, yz, second[2]];
          // First differences up to 24 · 5 · 8, each rounded, are divided by steps down to 1/16.
          const tolerance = { absolute: 960 * 16 * 3 * ulp };
          expectArraysClose(got.h, repeated(grid, place, expected), tolerance, "hessian");
          expectArraysClose(got.t, repeated(grid, place, [0]), tolerance, "trace");
        }),
        { numRuns: runs, seed: 11 },
      );
    });

    it("loses nothing to an offset, and takes factors out", async () => {
      const grid = randomGrid([6, 5, 4], 3);
      const square = (x: number, y: number) => x * x + x * y;
      const dataSet = dataSetOf(grid, sampledField(grid, "f", "node", square));
      const got = await run("h = hessian(3 * f + 1000000)", dataSet);
      expectArraysClose(got.h, repeated(grid, "node", [6, 3, 0, 3, 0, 0, 0, 0, 0]), { absolute: 3e-3 });
    });
  });

  describe("laplacian of a radius", () => {
    it("is exact for quadratic fields on every rectilinear grid", async () => {
      const radius = fc.integer({ min: 1, max: 3 });
      await fc.assert(
        fc.asyncProperty(rectilinear, centering, radius, slopes, slopes, async (grid, place, r, a, b) => {
          const value = (x: number, y: number, z: number) =>
            a[0] * x * x + a[1] * y * y + a[2] * z * z + b[0] * x * y + b[1] * y * z + b[2] * x;
          const dataSet = dataSetOf(
            grid,
            sampledField(grid, "f", place, value),
            sampledField(grid, "v", place, (x, y, z) => [value(x, y, z), y]),
          );
          const got = await run(`l = laplacian(f, ${r}); m = laplacian(v, ${r})`, dataSet);
          const dims = valueDims(grid, place);
          const expected = a.reduce((sum, c, axis) => sum + (dims[axis] > 2 * r ? 2 * c : 0), 0);
          const tolerance = { absolute: 640 * 16 * 3 * ulp };
          expectArraysClose(got.l, repeated(grid, place, [expected]), tolerance, "scalar");
          expectArraysClose(got.m, repeated(grid, place, [expected, 0]), tolerance, "vector");
        }),
        { numRuns: runs, seed: 12 },
      );
    });

    it("reads points that far apart: alternating values of period 2 are smooth to radius 2", async () => {
      const grid = uniformGrid([9, 1, 1], 8);
      const dataSet = dataSetOf(
        grid,
        sampledField(grid, "f", "node", (x) => x * x + 10 * (x % 2)),
      );
      const got = await run("a = laplacian(f, 2); b = laplacian(f, 1); c = laplacian(f)", dataSet);
      expectArraysClose(got.a, repeated(grid, "node", [2]), { absolute: 1e-5 });
      expectArraysClose(got.b, got.c);
      expectArraysClose(Array.from(got.b).slice(1, 3), [-18, 22], { absolute: 1e-4 });
    });

    it("refuses a radius that is no whole number from 1 to 8, or varies", async () => {
      const grid = uniformGrid([3, 3, 3]);
      const dataSet = dataSetOf(
        grid,
        sampledField(grid, "f", "node", (x) => x),
      );
      for (const radius of ["0", "1.5", "9", "f", "{1, 2}"]) {
        await expect(run(`l = laplacian(f, ${radius})`, dataSet)).rejects.toThrow(
          "needs a radius that is a whole number from 1 to 8",
        );
      }
    });
  });

  describe("swirling_strength", () => {
    const flow = async (grid: Grid, v: (x: number, y: number, z: number) => Vector) =>
      (await run("s = swirling_strength(v)", dataSetOf(grid, sampledField(grid, "v", "node", v)))).s;
    const grid = randomGrid([5, 4, 4], 11, [-0.4, -0.4, -0.4]);

    it("is the angular velocity of a rotation, and 0 for shear and strain", async () => {
      const rotation = await flow(grid, (x, y, z) => [2 * z - 2 * y, 2 * x - z, y - 2 * x]);
      expectArraysClose(rotation, repeated(grid, "node", [3]), { absolute: 1e-4 });
      const shear = await flow(grid, (_x, y) => [3 * y, 0, 0]);
      expectArraysClose(shear, repeated(grid, "node", [0]));
      const strain = await flow(grid, (x, y, z) => [2 * x, -3 * y, z]);
      expectArraysClose(strain, repeated(grid, "node", [0]));
    });

    it("is 0 on lines and for uniform flows, whose gradients have equal eigenvalues", async () => {
      for (const axis of [0, 1, 2]) {
        const dims = [0, 1, 2].map((each) => (each === axis ? 40 : 1)) as [number, number, number];
        const line = randomGrid(dims, 5 + axis);
        const along = (...place: number[]) => 3 * place[axis] + 0.1;
        const swirl = await flow(line, (...place) => {
          const s = along(...place);
          return [Math.sin(s), Math.cos(2 * s), s * s];
        });
        expectArraysClose(swirl, repeated(line, "node", [0]));
      }
      const uniform = await flow(grid, () => [0.1, -0.7, 1.3]);
      expectArraysClose(uniform, repeated(grid, "node", [0]));
    });

    it("agrees with NumPy's linalg.eigvals", async () => {
      for (const [j, expected] of [
        [[0, -2, 0, 3, 0, 0, 0, 0, 1], 2.4494897427831783],
        [[1, 2, -3, 0.5, 4, 1, 2, -1, 5], 1.5790733892240225],
        [[0, 1, 0, 0, 0, 1, 1, 0, 0], 0.8660254037844389],
        [[-0.5, -1, 0.25, 1, 0.25, -2, 0.5, 2, 0.25], 2.165831718586912],
      ] as const) {
        const row = (r: number, x: number, y: number, z: number) =>
          j[3 * r] * x + j[3 * r + 1] * y + j[3 * r + 2] * z;
        const got = await flow(grid, (x, y, z) => [row(0, x, y, z), row(1, x, y, z), row(2, x, y, z)]);
        expectArraysClose(
          got,
          sample(grid, "node", () => expected),
          { absolute: 1e-4 },
        );
      }
    });
  });
}
