import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DataSet, makeField } from "../../../../core/field.ts";
import { type Centering, type Grid, type Triple, valueDims } from "../../../../core/grid.ts";
import { expectArraysClose } from "../../../../core/testing/compare.ts";
import { dataSetOf, randomGrid, sample, sampledField, uniformGrid } from "./data-sets.ts";
import type { Results } from "./evaluate.ts";
import { describeReductionCases } from "./reduction-cases.ts";

export type Run = (text: string, dataSet: DataSet) => Promise<Results>;

export type Vector = readonly [number, number, number];

const ulp = 2 ** -23;

/** Coordinates in sixteenths: products with small whole numbers are exact in f32. */
const axis = fc
  .tuple(fc.integer({ min: -40, max: 40 }), fc.array(fc.integer({ min: 1, max: 7 }), { maxLength: 5 }))
  .map(([origin, steps]) => {
    const coordinates = [origin];
    for (const step of steps) coordinates.push(coordinates[coordinates.length - 1] + step);
    return Float64Array.from(coordinates, (c) => c / 16);
  });

export const rectilinear = fc.tuple(axis, axis, axis).map(
  (axes): Grid => ({
    kind: "rectilinear",
    dims: axes.map((a) => a.length) as unknown as Triple,
    axes,
  }),
);

export const centering = fc.constantFrom<Centering>("node", "cell");
const slope = fc.integer({ min: -8, max: 8 });
export const slopes = fc.tuple(slope, slope, slope);

const dot = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
/** A derivative along a direction of a single value is 0. */
const across = (v: Vector, dims: Triple): Vector => [
  dims[0] > 1 ? v[0] : 0,
  dims[1] > 1 ? v[1] : 0,
  dims[2] > 1 ? v[2] : 0,
];
export const repeated = (grid: Grid, place: Centering, value: readonly number[]) =>
  sample(grid, place, () => value);

/** Cases whose results are known in closed form; every strategy must give them. */
export function describeAnalyticCases(run: Run, runs: number): void {
  describeReductionCases(run);

  describe("reductions", () => {
    it("are one number of all finite values, wherever they stand", async () => {
      const grid = randomGrid([6, 5, 4], 3);
      const f = sample(grid, "node", (x, y, z) => Math.sin(9 * x) + y - 2 * z);
      const g = f.map((x, i) => (i % 7 === 0 ? Number.NaN : i % 11 === 0 ? Number.POSITIVE_INFINITY : x));
      const dataSet = dataSetOf(
        grid,
        makeField(grid, "f", "node", 1, Float32Array.from(f)),
        makeField(grid, "g", "node", 1, Float32Array.from(g)),
        sampledField(grid, "c", "cell", (x) => 2 * x),
      );
      const got = await run(reductionTexts, dataSet);
      const tolerance = { absolute: 40 * ulp };
      const all = (x: number) => f.map(() => x);
      const centred = f.map((x) => x - mean(f));
      expectArraysClose(got.low, all(Math.min(...f)), tolerance, "low");
      expectArraysClose(got.high, all(Math.max(...f)), tolerance, "high");
      expectArraysClose(got.total, [mean(f) * f.length], { absolute: f.length * 4 * ulp }, "total");
      expectArraysClose(got.centred, centred, tolerance, "centred");
      expectArraysClose(got.again, all(0), tolerance, "again");
      const most = Math.max(...f.map(Math.abs));
      expectArraysClose(
        got.share,
        f.map((x) => x / most),
        tolerance,
        "share",
      );
      expectArraysClose(got.level, [Math.sqrt(mean(f.map((x) => x * x)))], tolerance, "level");
      expectArraysClose(got.spread, [Math.sqrt(mean(centred.map((x) => x * x)))], tolerance, "spread");
      expectArraysClose(
        got.two,
        f.map((x) => Math.min(x, 0.25)),
        tolerance,
        "two",
      );
      const above = f.filter((x) => x > mean(f)).reduce((a, b) => a + b, 0);
      expectArraysClose(got.nested, [above], { absolute: f.length * 4 * ulp }, "nested");
      const cells = sample(grid, "cell", (x) => 2 * x);
      expectArraysClose(
        got.of_cells,
        f.map((x) => x * mean(cells)),
        tolerance,
        "of_cells",
      );
      expectArraysClose(got.plain, [7], {}, "plain");
      const finite = g.filter(Number.isFinite);
      const plain = await run("m = gradient(f)[0]; a = avg(g) + 0*f", dataSet);
      expectArraysClose(got.slope, plain.m, { absolute: 1e-4 }, "slope");
      expectArraysClose(plain.a, all(mean(finite)), tolerance, "finite");
    });

    it("are refused of vectors, with the way out", async () => {
      const grid = randomGrid([3, 3, 3], 1);
      const dataSet = dataSetOf(
        grid,
        sampledField(grid, "v", "node", (x, y, z) => [x, y, z]),
      );
      await expect(run("a = avg(v)", dataSet)).rejects.toMatchObject({ tag: "TypeError" });
      await expect(run("a = avg(magnitude(v), 2)", dataSet)).rejects.toMatchObject({ tag: "TypeError" });
    });
  });

  describe("gradient", () => {
    it("is exact for linear fields on every rectilinear grid, borders and thin directions included", async () => {
      await fc.assert(
        fc.asyncProperty(rectilinear, centering, slopes, slopes, slopes, async (grid, place, a, b, c) => {
          const dims = valueDims(grid, place);
          const dataSet = dataSetOf(
            grid,
            sampledField(grid, "f", place, (x, y, z) => dot(a, [x, y, z]) + 3),
            sampledField(grid, "v", place, (x, y, z) => [a, b, c].map((s) => dot(s, [x, y, z]))),
          );
          const got = await run("g = gradient(f); m = gradient(v); w = curl(v); d = divergence(v)", dataSet);
          const [u, v, w] = [across(a, dims), across(b, dims), across(c, dims)];
          const tolerance = { absolute: 30 * ulp };
          expectArraysClose(got.g, repeated(grid, place, u), tolerance, "gradient");
          expectArraysClose(got.m, repeated(grid, place, [...u, ...v, ...w]), tolerance, "tensor");
          const curl = [w[1] - v[2], u[2] - w[0], v[0] - u[1]];
          expectArraysClose(got.w, repeated(grid, place, curl), tolerance, "curl");
          expectArraysClose(got.d, repeated(grid, place, [u[0] + v[1] + w[2]]), tolerance, "divergence");
        }),
        { numRuns: runs },
      );
    });

    it("gives a vector of two components a scalar curl and a third row of zeros", async () => {
      const grid = randomGrid([7, 6, 1], 5);
      const dataSet = dataSetOf(
        grid,
        sampledField(grid, "v", "node", (x, y) => [2 * x - y, 3 * x + 5 * y]),
      );
      const got = await run("m = gradient(v); w = curl(v); d = divergence(v); q = q_criterion(v)", dataSet);
      expectArraysClose(got.m, repeated(grid, "node", [2, -1, 0, 3, 5, 0, 0, 0, 0]), { absolute: 2e-5 });
      expectArraysClose(got.w, repeated(grid, "node", [4]), { absolute: 2e-5 });
      expectArraysClose(got.d, repeated(grid, "node", [7]), { absolute: 2e-5 });
      expectArraysClose(got.q, repeated(grid, "node", [-0.5 * (4 + 25) + 3]), { absolute: 2e-4 });
    });

    it("differentiates computed fields", async () => {
      const grid = randomGrid([9, 8, 7], 6, [1, 2, 3]);
      const dataSet = dataSetOf(
        grid,
        sampledField(grid, "v", "node", (x) => [2 * x, 0, 0]),
      );
      const got = await run(
        "g = gradient(magnitude(v)); h = gradient(coords[1] * 3); k = gradient(coords)",
        dataSet,
      );
      expectArraysClose(got.g, repeated(grid, "node", [2, 0, 0]), { absolute: 3e-5 });
      expectArraysClose(got.h, repeated(grid, "node", [0, 3, 0]), { absolute: 1e-4 });
      expectArraysClose(got.k, repeated(grid, "node", [1, 0, 0, 0, 1, 0, 0, 0, 1]), { absolute: 1e-5 });
    });

    it("loses nothing to a large offset of f64 data", async () => {
      const grid = uniformGrid([9, 9, 9]);
      const data = Float64Array.from(sample(grid, "node", (x, y) => 101325 + 1e-3 * x - 2e-3 * y));
      const pressure = { name: "p", centering: "node", components: 1, dtype: "f64", data } as const;
      const got = await run(
        "g = gradient(p); r = p - 101325; l = laplacian(p); m = p",
        dataSetOf(grid, pressure),
      );
      expectArraysClose(got.g, repeated(grid, "node", [1e-3, -2e-3, 0]), { absolute: 1e-8 });
      expectArraysClose(got.m, data, { relative: ulp });
      expectArraysClose(got.l, repeated(grid, "node", [0]), { absolute: 1e-6 });
    });
  });

  describe("laplacian", () => {
    it("is exact for quadratic fields on every rectilinear grid, borders included", async () => {
      await fc.assert(
        fc.asyncProperty(rectilinear, centering, slopes, slopes, async (grid, place, a, b) => {
          const value = (x: number, y: number, z: number) =>
            a[0] * x * x + a[1] * y * y + a[2] * z * z + dot(b, [x * y, y * z, x]);
          const dataSet = dataSetOf(
            grid,
            sampledField(grid, "f", place, value),
            sampledField(grid, "v", place, (x, y, z) => [value(x, y, z), -value(x, y, z), x]),
          );
          const got = await run("l = laplacian(f); m = laplacian(v)", dataSet);
          const dims = valueDims(grid, place);
          const expected = a.reduce((sum, c, along) => sum + (dims[along] > 2 ? 2 * c : 0), 0);
          // First differences up to 16 · 5 · 8, each rounded, are divided by steps down to 1/16.
          const tolerance = { absolute: 640 * 16 * 3 * ulp };
          expectArraysClose(got.l, repeated(grid, place, [expected]), tolerance, "scalar");
          expectArraysClose(got.m, repeated(grid, place, [expected, -expected, 0]), tolerance, "vector");
        }),
        { numRuns: runs },
      );
    });

    it("converges with the square of the step, as the gradient does", async () => {
      const errors: number[][] = [];
      for (const n of [9, 17, 33]) {
        const grid = uniformGrid([n, 3, 3]);
        const dataSet = dataSetOf(
          grid,
          sampledField(grid, "f", "node", (x) => Math.sin(3 * x)),
        );
        const got = await run("l = laplacian(f); g = gradient(f)[0]", dataSet);
        const inside = Array.from({ length: n - 2 }, (_, i) => i + 1);
        const worst = (values: ArrayLike<number>, expected: (x: number) => number) =>
          Math.max(...inside.map((i) => Math.abs(values[i] - expected(i / (n - 1)))));
        errors.push([worst(got.l, (x) => -9 * Math.sin(3 * x)), worst(got.g, (x) => 3 * Math.cos(3 * x))]);
      }
      for (const which of [0, 1]) {
        for (const level of [1, 2]) {
          const order = Math.log2(errors[level - 1][which] / errors[level][which]);
          expect(order).toBeGreaterThan(1.85);
          expect(order).toBeLessThan(2.15);
        }
      }
    });
  });

  describe("vortex criteria", () => {
    const grid = randomGrid([8, 7, 6], 11, [-0.4, -0.4, -0.4]);
    const flow = (v: (x: number, y: number, z: number) => Vector) =>
      run(
        "q = q_criterion(v); w = magnitude(curl(v)); l = lambda2(v)",
        dataSetOf(grid, sampledField(grid, "v", "node", v)),
      );
    const close = (got: ArrayLike<number>, expected: number, what: string) =>
      expectArraysClose(got, repeated(grid, "node", [expected]), { absolute: 1e-4 }, what);

    it("give a solid-body rotation Q = Ω², |ω| = 2Ω, λ₂ = -Ω²", async () => {
      const [a, b, c] = [1, 2, 2];
      const got = await flow((x, y, z) => [b * z - c * y, c * x - a * z, a * y - b * x]);
      close(got.q, 9, "Q");
      close(got.w, 6, "vorticity");
      close(got.l, -9, "λ₂");
    });

    it("give a shear Q = 0 and λ₂ = 0", async () => {
      const got = await flow((_x, y) => [3 * y, 0, 0]);
      close(got.q, 0, "Q");
      close(got.l, 0, "λ₂");
    });

    it("give a strain Q < 0 and λ₂ > 0", async () => {
      const got = await flow((x, y) => [2 * x, -2 * y, 0]);
      close(got.q, -4, "Q");
      close(got.l, 4, "λ₂");
    });

    it("tell Q of a general tensor: minus half the trace of its square", async () => {
      const got = await flow((x, y, z) => [x + 2 * y - z, 3 * x - y + 2 * z, -2 * x + y + 4 * z]);
      close(got.q, -0.5 * (1 + 1 + 16) - (2 * 3 + -1 * -2 + 2 * 1), "Q");
    });
  });

  describe("the listings of seed 001, figure 3", () => {
    const grid = randomGrid([10, 9, 8], 21);
    const u = (x: number, y: number, z: number) => Math.sin(3 * y) + x * z;
    const v = (x: number, y: number, z: number) => x * x - Math.cos(2 * z) * y;
    const w = (x: number, y: number, z: number) => Math.sin(2 * x) * y - z;
    for (const place of ["node", "cell"] as const) {
      const dataSet = dataSetOf(
        grid,
        sampledField(grid, "u", place, u),
        sampledField(grid, "v", place, v),
        sampledField(grid, "w", place, w),
        sampledField(grid, "velocity", place, (x, y, z) => [u(x, y, z), v(x, y, z), w(x, y, z)]),
      );

      it(`A: the velocity's magnitude, ${place}-centred`, async () => {
        const got = await run("v_mag = sqrt(u*u + v*v + w*w); expected = magnitude(velocity)", dataSet);
        expectArraysClose(got.v_mag, got.expected, { relative: 1e-6 });
      });

      it(`B: the vorticity's magnitude, ${place}-centred`, async () => {
        const got = await run(`${gradients}${vorticity}\nexpected = magnitude(curl(velocity))`, dataSet);
        expectArraysClose(got.w_mag, got.expected, { relative: 1e-5, absolute: 1e-6 });
      });

      it(`C, repaired: the Q-criterion, ${place}-centred`, async () => {
        const got = await run(`${gradients}${qCriterion}\nexpected = q_criterion(velocity)`, dataSet);
        expectArraysClose(got.q_crit, got.expected, { absolute: 1e-4 });
        const plain = await run("q = q_criterion({u, v, w})", dataSet);
        expectArraysClose(plain.q, got.expected, { absolute: 1e-6 });
      });
    }
  });

  describe("recenter", () => {
    it("is exact for linear fields from nodes to cells, and inside from cells to nodes of equal cells", async () => {
      const random = randomGrid([6, 5, 4], 31);
      const linear = (x: number, y: number, z: number) => 2 * x - y + 3 * z + 1;
      const got = await run("c = recenter(f)", dataSetOf(random, sampledField(random, "f", "node", linear)));
      expectArraysClose(got.c, sample(random, "cell", linear), { absolute: 2e-6 });
      const grid = uniformGrid([6, 5, 1]);
      const back = await run("n = recenter(f)", dataSetOf(grid, sampledField(grid, "f", "cell", linear)));
      const expected = sample(grid, "node", linear);
      for (const i of [7, 8, 9, 10, 13, 16, 19, 22]) expect(back.n[i]).toBeCloseTo(expected[i], 5);
      // At a corner one cell alone counts.
      expect(back.n[0]).toBeCloseTo(linear(0.1, 0.125, 0), 5);
    });

    it("brings cell values to the nodes where both meet", async () => {
      const grid = randomGrid([5, 4, 3], 32);
      const dataSet = dataSetOf(
        grid,
        sampledField(grid, "p", "node", (x) => x),
        sampledField(grid, "one", "cell", () => 1),
      );
      const got = await run("s = p + one", dataSet);
      expectArraysClose(
        got.s,
        sample(grid, "node", (x) => x + 1),
        { absolute: 1e-6 },
      );
    });
  });

  it("takes remainders as VisIt and Ascent do, and roots and powers as mathematics does", async () => {
    const grid = uniformGrid([2, 1, 1]);
    const dataSet = dataSetOf(
      grid,
      sampledField(grid, "f", "node", (x) => (x === 0 ? 31 : 8.5)),
    );
    const got = await run("a = f % 5; b = f % 2.5; c = -f^2; d = 2^-2; e = (0 - f)^3", dataSet);
    expectArraysClose(got.a, [1, 3.5]);
    expectArraysClose(got.b, [1, 1]);
    expectArraysClose(got.c, [-961, -72.25]);
    expectArraysClose(got.d, [0.25]);
    expectArraysClose(got.e, [-29791, -614.125]);
  });

  it("keeps NaN and infinities where they arise", async () => {
    const grid = uniformGrid([3, 1, 1]);
    const dataSet = dataSetOf(
      grid,
      sampledField(grid, "f", "node", (x) => 2 * x - 1),
    );
    const got = await run(
      "a = f / 0; b = sqrt(f); c = 0 / 0 + f; d = if(is_nan(b), 7, b); e = min(b, 5); g = 1e300 * f",
      dataSet,
    );
    const { POSITIVE_INFINITY: infinity, NEGATIVE_INFINITY: minusInfinity, NaN: nan } = Number;
    expectArraysClose(got.a, [minusInfinity, nan, infinity]);
    expectArraysClose(got.b, [nan, 0, 1]);
    expectArraysClose(got.c, [nan, nan, nan]);
    expectArraysClose(got.d, [7, 0, 1]);
    expectArraysClose(got.e, [nan, 0, 1]);
    expect(got.g[2]).toBe(infinity);
  });

  it("gives each name its own values where two name one", async () => {
    const grid = uniformGrid([3, 3, 3]);
    const dataSet = dataSetOf(
      grid,
      sampledField(grid, "f", "node", (x) => x),
    );
    const got = await run("a = f; b = a; c = 4; d = f > 0.2", dataSet);
    expectArraysClose(got.a, dataSet.fields[0].data as Float32Array);
    expectArraysClose(got.b, dataSet.fields[0].data as Float32Array);
    expectArraysClose(got.c, [4]);
    expectArraysClose(
      got.d,
      sample(grid, "node", (x) => Number(x > 0.2)),
    );
  });
}

const reductionTexts = `low = min(f) + 0*f; high = maximum(f) + 0*f; total = sum(f)
centred = f - avg(f); again = avg(centred) + 0*f
share = f / max(abs(f)); level = rms(f); spread = stddev(centred + 3); two = min(f, 0.25)
slope = gradient(f - avg(g))[0]; nested = sum(f * (f > avg(f))); of_cells = avg(c) * f; plain = avg(7)`;

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;

const gradients = `du = grad3d(u, dims, x, y, z)
dv = grad3d(v, dims, x, y, z)
dw = grad3d(w, dims, x, y, z)
`;

const vorticity = `w_x = dw[1] - dv[2]
w_y = du[2] - dw[0]
w_z = dv[0] - du[1]
w_mag = sqrt(w_x*w_x + w_y*w_y + w_z*w_z)`;

/** As printed, but for its errata: w_3's second term, the + after s_5*s_5, and the last line. */
const qCriterion = `s_1 = 0.5 * (du[1] + dv[0])
s_2 = 0.5 * (du[2] + dw[0])
s_3 = 0.5 * (dv[0] + du[1])
s_5 = 0.5 * (dv[2] + dw[1])
s_6 = 0.5 * (dw[0] + du[2])
s_7 = 0.5 * (dw[1] + dv[2])
w_1 = 0.5 * (du[1] - dv[0])
w_2 = 0.5 * (du[2] - dw[0])
w_3 = 0.5 * (dv[0] - du[1])
w_5 = 0.5 * (dv[2] - dw[1])
w_6 = 0.5 * (dw[0] - du[2])
w_7 = 0.5 * (dw[1] - dv[2])
s_norm = du[0]*du[0] + s_1*s_1 + s_2*s_2 +
         s_3*s_3 + dv[1]*dv[1] + s_5*s_5 +
         s_6*s_6 + s_7*s_7 + dw[2]*dw[2]
w_norm = w_1*w_1 + w_2*w_2 + w_3*w_3 +
         w_5*w_5 + w_6*w_6 + w_7*w_7
q_crit = 0.5 * (w_norm - s_norm)`;
