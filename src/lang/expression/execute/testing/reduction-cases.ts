import { describe, expect, it } from "vitest";
import { makeField } from "../../../../core/field.ts";
import { type Grid, valueCoordinates } from "../../../../core/grid.ts";
import { expectArraysClose } from "../../../../core/testing/compare.ts";
import type { Run } from "./analytic.ts";
import { dataSetOf, randomGrid, sampledField } from "./data-sets.ts";

const grid: Grid = randomGrid([5, 4, 3], 8, [2, -1, 0]);

/**
 * The oracles of this file, by numpy 2.4.6:
 *   i = numpy.arange(60); g = ((i*37) % 101) / 8 - 3; g[[5, 17, 18]] = nan, inf, -inf; g = g[numpy.isfinite(g)]
 */
const g = Float32Array.from({ length: 60 }, (_, i) => ((i * 37) % 101) / 8 - 3);
g.set([Number.NaN], 5);
g.set([Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY], 17);

const dataSet = dataSetOf(
  grid,
  makeField(grid, "g", "node", 1, g),
  sampledField(grid, "c", "cell", (x, y, z) => (x - 2.2) ** 2 + (y + 0.8) ** 2 + z),
  makeField(grid, "seven", "node", 1, new Float32Array(60).fill(7)),
  makeField(grid, "nothing", "node", 1, new Float32Array(60).fill(Number.NaN)),
);
const { NaN: nan } = Number;

/** Reductions beyond sums and extrema; every strategy must give these. */
export function describeReductionCases(run: Run): void {
  describe("quantiles", () => {
    it("are those of the finite values, between ranks", async () => {
      const got = await run(
        "a = quantile(g, 0); b = quantile(g, 0.1); c = median(g); d = quantile(2 * g, 0.9); e = quantile(g, 1)",
        dataSet,
      );
      // numpy.quantile(g, p)
      expectArraysClose(got.a, [-3]);
      expectArraysClose(got.b, [-1.7999999999999998], { absolute: 1e-12 });
      expectArraysClose(got.c, [3.125]);
      expectArraysClose(got.d, [2 * 8.175], { absolute: 1e-12 });
      expectArraysClose(got.e, [9.5]);
    });

    it("serve as thresholds and as each other's shares, of numbers and of nothing too", async () => {
      const got = await run(
        "a = sum(g > quantile(g, 0.9)); b = g - median(g); c = quantile(g, quantile(seven, 0.5) / 14)\nd = quantile(3, 0.2); e = quantile(nothing, 0.5)",
        dataSet,
      );
      // numpy.sum(g > numpy.quantile(g, 0.9)), and the infinity
      expectArraysClose(got.a, [7]);
      expectArraysClose(
        got.b,
        g.map((x) => x - 3.125),
      );
      expectArraysClose(got.c, [3.125]);
      expectArraysClose(got.d, [3]);
      expectArraysClose(got.e, [nan]);
    });
  });

  describe("histograms", () => {
    it("count the finite values between edges", async () => {
      const got = await run(
        "a = histogram(g, 7); b = histogram(g, 5, -1, 4); c = histogram(seven, 2); d = histogram(nothing, 2); e = histogram(g)",
        dataSet,
      );
      // numpy.histogram(g, 7)[0], numpy.histogram(g, 5, (-1, 4))[0]
      expectArraysClose(got.a, [9, 7, 9, 9, 7, 7, 9]);
      expectArraysClose(got.b, [4, 4, 5, 5, 5]);
      // numpy.histogram([7] * 60, 2)[0] of 6.5 to 7.5
      expectArraysClose(got.c, [0, 60]);
      expectArraysClose(got.d, [0, 0]);
      expect(got.e).toHaveLength(256);
    });

    it("take ranges that other reductions give, and refuse those without extent", async () => {
      const got = await run("a = histogram(g, 2, avg(seven) - 10, min(g) + 4)", dataSet);
      // numpy.histogram(g, 2, (-3, 1))[0]
      expectArraysClose(got.a, [10, 9]);
      await expect(run("a = histogram(g, 2, avg(seven), 7)", dataSet)).rejects.toThrow(
        "needs a range of two numbers, the lower one first, but was given 7 and 7 (line 1, column 5)",
      );
    });

    it("have an entropy", async () => {
      const got = await run(
        "a = entropy(g, 7); b = entropy(g); c = entropy(seven); d = entropy(nothing)",
        dataSet,
      );
      // p = h[h > 0] / h.sum(); -(p * numpy.log2(p)).sum() for h = numpy.histogram(g, 7)[0] and (g, 256)
      expectArraysClose(got.a, [2.7965434630220587], { absolute: 1e-12 });
      expectArraysClose(got.b, [5.832890014164743], { absolute: 1e-12 });
      expectArraysClose(got.c, [0]);
      expectArraysClose(got.d, [nan]);
    });
  });

  describe("positions of extrema", () => {
    it("are coordinates of the first value, of nodes and of cells", async () => {
      const got = await run(
        "a = min_position(g); b = argmax(g); c = min_position(c); d = magnitude(coords() - max_position(g))\ne = max_position(seven); f = max_position(nothing); i = argmax(g)[1]",
        dataSet,
      );
      const at = (i: number, j: number, k: number, centering: "node" | "cell" = "node") =>
        [i, j, k].map((place, axis) => valueCoordinates(grid, centering, axis)[place]);
      // numpy.unravel_index(numpy.nanargmax(g), (3, 4, 5)), infinities as NaN: (1, 2, 0)
      expectArraysClose(got.a, at(0, 0, 0));
      expectArraysClose(got.b, at(0, 2, 1));
      const [x, y] = [0, 1].map((axis) => valueCoordinates(grid, "cell", axis));
      const nearest = (axis: Float64Array, to: number) =>
        axis.reduce((best, here, k) => (Math.abs(here - to) < Math.abs(axis[best] - to) ? k : best), 0);
      expectArraysClose(got.c, at(nearest(x, 2.2), nearest(y, -0.8), 0, "cell"));
      // Coordinates are f32 on a GPU.
      expect(got.d[30]).toBeLessThan(1e-6);
      expect(Math.min(...Array.from(got.d, (value, i) => (i === 30 ? 1 : value)))).toBeGreaterThan(0.01);
      expectArraysClose(got.e, at(0, 0, 0));
      expectArraysClose(got.f, [nan, nan, nan]);
      expectArraysClose(got.i, [at(0, 2, 1)[1]]);
    });
  });
}
