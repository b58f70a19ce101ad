import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { makeField } from "../../../../core/field.ts";
import { valueDims } from "../../../../core/grid.ts";
import { expectArraysClose } from "../../../../core/testing/compare.ts";
import { centering, type Run, rectilinear, repeated } from "../../execute/testing/analytic.ts";
import {
  dataSetOf,
  randomGrid,
  randomNumbers,
  sample,
  sampledField,
  uniformGrid,
} from "../../execute/testing/data-sets.ts";

const ulp = 2 ** -23;

/** Filters of known results; every strategy must give them. */
export function describeSmoothingCases(run: Run, runs: number): void {
  describe("mean_filter, median_filter and gaussian", () => {
    it("agree with SciPy", async () => {
      const grid = uniformGrid([4, 3, 5]);
      const values = Float32Array.from({ length: 60 }, (_, at) => {
        const [i, j, k] = [at % 4, Math.floor(at / 4) % 3, Math.floor(at / 12)];
        return (7 * i + 5 * j * j + 3 * k * k + 11 * i * j * k) % 17;
      });
      const got = await run(
        "mean = mean_filter(f); wide = mean_filter(f, 5); median = median_filter(f, 3); broad = median_filter(f, 5); gauss = gaussian(f); narrow = gaussian(f, 0.7)",
        dataSetOf(grid, makeField(grid, "f", "node", 1, values)),
      );
      // SciPy 1.17's uniform_filter (3, 5), median_filter (3, 5) and gaussian_filter (1, 0.7), all with mode="nearest", at
      // these places, and the sum of value · (1 + place mod 7).
      const places = [0, 1, 5, 11, 17, 22, 30, 42, 59];
      const expected: Record<string, readonly [readonly number[], number]> = {
        mean: [
          [4.777778, 6.481481, 6.148148, 6.888889, 7.407407, 8.962963, 8.555556, 7.777778, 8.37037],
          1777.48148,
        ],
        wide: [[5.6, 6.328, 6.56, 8.056, 7.368, 8.104, 7.936, 7.944, 8.736], 1776.64],
        median: [[5, 7, 6, 7, 8, 10, 9, 7, 11], 1804],
        broad: [[5, 6, 7, 7, 7, 8, 8, 9, 11], 1812],
        gauss: [
          [4.322068, 6.548525, 6.723675, 7.095219, 7.402576, 8.464788, 8.594497, 7.760575, 8.799135],
          1780.17395,
        ],
        narrow: [
          [3.185417, 7.142129, 7.640127, 6.746142, 7.869444, 9.058129, 8.79792, 7.746153, 9.428055],
          1794.75374,
        ],
      };
      for (const [name, [some, sum]] of Object.entries(expected)) {
        expectArraysClose(
          places.map((at) => got[name][at]),
          some,
          { absolute: 4e-6 },
          name,
        );
        let weighted = 0;
        for (let at = 0; at < 60; at++) weighted += got[name][at] * (1 + (at % 7));
        expect(weighted, name).toBeCloseTo(sum, 2);
      }
    });

    it("leave constant fields as they are, on every grid and whatever the width", async () => {
      const width = fc.constantFrom(1, 7);
      await fc.assert(
        fc.asyncProperty(rectilinear, centering, width, async (grid, place, w) => {
          const dataSet = dataSetOf(
            grid,
            sampledField(grid, "f", place, () => 3.25),
            sampledField(grid, "v", place, () => [1, -2, 1e6]),
          );
          const got = await run(
            `a = mean_filter(f, ${w}); b = median_filter(f); c = gaussian(f, ${w / 2}); d = mean_filter(v, ${w}); e = median_filter(v); g = gaussian(v, 0.5)`,
            dataSet,
          );
          const close = { relative: 12 * ulp };
          for (const name of "abc") expectArraysClose(got[name], repeated(grid, place, [3.25]), close, name);
          for (const name of "deg")
            expectArraysClose(got[name], repeated(grid, place, [1, -2, 1e6]), close, name);
        }),
        { numRuns: runs, seed: 21 },
      );
    });

    it("leave linear fields as they are inside a uniform grid", async () => {
      const grid = uniformGrid([7, 7, 7], 6);
      const dataSet = dataSetOf(
        grid,
        sampledField(grid, "f", "node", (x, y, z) => 2 * x - y + 3 * z),
      );
      const got = await run(
        "a = mean_filter(f) - f; b = median_filter(f) - f; c = gaussian(f, 0.5) - f",
        dataSet,
      );
      const inside = sample(grid, "node", (x, y, z) => Number([x, y, z].every((c) => c > 1 && c < 5)));
      for (const name of "abc") {
        const kept = Array.from(got[name]).map((difference, at) => difference * inside[at]);
        expectArraysClose(kept, repeated(grid, "node", [0]), { absolute: 30 * ulp }, name);
      }
    });

    it("take the middle one of 27 values, in each component", async () => {
      const random = randomNumbers(31);
      for (const dims of [
        [5, 4, 3],
        [6, 1, 4],
        [1, 1, 3],
      ] as const) {
        const grid = randomGrid(dims, 5);
        const data = Float32Array.from({ length: 2 * dims[0] * dims[1] * dims[2] }, () =>
          random() < 0.3 ? Math.round(3 * random()) : 20 * random() - 10,
        );
        const got = await run("m = median_filter(v)", dataSetOf(grid, makeField(grid, "v", "node", 2, data)));
        const [nx, ny, nz] = valueDims(grid, "node");
        const clamp = (i: number, n: number) => Math.min(Math.max(i, 0), n - 1);
        const expected = Array.from(data, (_, at) => {
          const [c, e] = [at % 2, Math.floor(at / 2)];
          const near = Array.from({ length: 27 }, (_, n) => {
            const x = clamp((e % nx) + (n % 3) - 1, nx);
            const y = clamp((Math.floor(e / nx) % ny) + (Math.floor(n / 3) % 3) - 1, ny);
            const z = clamp(Math.floor(e / (nx * ny)) + Math.floor(n / 9) - 1, nz);
            return data[2 * (x + nx * (y + ny * z)) + c];
          });
          return near.sort((a, b) => a - b)[13];
        });
        expectArraysClose(got.m, expected);
      }
    });

    it("spread what is not a number as far as their windows reach, and no farther", async () => {
      const grid = uniformGrid([7, 1, 1]);
      const values = Float32Array.of(1, 1, 1, Number.NaN, 1, 1, 1);
      const got = await run(
        "a = median_filter(f); b = mean_filter(f); c = median_filter({f, 2})",
        dataSetOf(grid, makeField(grid, "f", "node", 1, values)),
      );
      const expected = [1, 1, Number.NaN, Number.NaN, Number.NaN, 1, 1];
      expectArraysClose(got.a, expected);
      expectArraysClose(got.b, expected, { absolute: ulp });
      expectArraysClose(
        got.c,
        expected.flatMap((value) => [value, 2]),
      );
    });

    it("keep a field's offset, constants added, and values computed on the way", async () => {
      const grid = uniformGrid([5, 4, 3]);
      const data = Float64Array.from(sample(grid, "node", (x) => 101325 + 2 * x));
      const p = { name: "p", centering: "node", components: 1, dtype: "f64", data } as const;
      const got = await run(
        "a = median_filter(p); b = mean_filter(p + 675); c = gaussian(p); g = gradient(p); d = mean_filter(sqrt(p)) ^ 2",
        dataSetOf(grid, p),
      );
      expectArraysClose(got.a, data, { absolute: 0.02 });
      expectArraysClose(got.b, repeated(grid, "node", [102001]), { absolute: 1.1 });
      expectArraysClose(got.c, repeated(grid, "node", [101326]), { absolute: 1.1 });
      expectArraysClose(got.g, repeated(grid, "node", [2, 0, 0]), { absolute: 1e-5 });
      expectArraysClose(got.d, repeated(grid, "node", [101326]), { absolute: 1.2 });
    });

    it("refuse widths and deviations that they have no window for", async () => {
      const grid = uniformGrid([3, 3, 3]);
      const dataSet = dataSetOf(
        grid,
        sampledField(grid, "f", "node", (x) => x),
      );
      for (const width of ["2", "0", "19", "-3", "f"]) {
        await expect(run(`l = mean_filter(f, ${width})`, dataSet)).rejects.toThrow("odd number from 1 to 17");
      }
      for (const sigma of ["0", "4.5", "0/0", "f"]) {
        await expect(run(`l = gaussian(f, ${sigma})`, dataSet)).rejects.toThrow(
          "needs a sigma from 0.1 to 4",
        );
      }
      await expect(run("l = median_filter(f, 9)", dataSet)).rejects.toThrow("needs a width of 3, 5 or 7");
    });
  });
}
