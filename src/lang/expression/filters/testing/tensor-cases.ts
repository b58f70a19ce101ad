import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type DataSet, makeField } from "../../../../core/field.ts";
import { expectArraysClose } from "../../../../core/testing/compare.ts";
import type { Run } from "../../execute/testing/analytic.ts";
import { dataSetOf, uniformGrid } from "../../execute/testing/data-sets.ts";

const ulp = 2 ** -23;

/** One tensor a node on a line: `name` of nine components. */
function tensors(values: readonly (readonly number[])[], name = "m"): DataSet {
  const grid = uniformGrid([values.length, 1, 1]);
  return dataSetOf(grid, makeField(grid, name, "node", 9, Float32Array.from(values.flat())));
}

/** Symmetric tensors of f32 and, of NumPy 2.4's linalg.eigvalsh in f64, their eigenvalues. */
const symmetric: readonly (readonly [string, readonly number[], readonly number[]])[] = [
  ["general", [2, -1, 0.5, -1, 3, 4, 0.5, 4, -5], [4.849369686591629, 1.889560192869218, -6.738929879460849]],
  [
    "with the two lower ones equal",
    [
      3.0212182998657227, -1.0327444076538086, 0.9768351912498474, -1.0327444076538086, 3.044400691986084,
      -0.9878604412078857, 0.9768351912498474, -0.9878604412078857, 2.9343810081481934,
    ],
    [4.9999999995342055, 2.0000000474889807, 1.9999999529768129],
  ],
  [
    "with the two upper ones equal",
    [
      -0.5725772380828857, 4.282219886779785, 0.2108076959848404, 4.282219886779785, 4.578445911407471,
      -0.11920973658561707, 0.2108076959848404, -0.11920973658561707, 6.994131565093994,
    ],
    [7.000000179174842, 7.000000093177213, -3.000000033933474],
  ],
  ["all equal", [3, 0, 0, 0, 3, 0, 0, 0, 3], [3, 3, 3]],
  ["zero", [0, 0, 0, 0, 0, 0, 0, 0, 0], [0, 0, 0]],
  ["without a diagonal", [0, 1, 1, 1, 0, 1, 1, 1, 0], [2, -1, -1]],
  ["of rank one", [1, 2, 3, 2, 4, 6, 3, 6, 9], [14, 0, 0]],
  [
    "beside a large multiple of the unit tensor",
    [1000000, 0.5, 0.25, 0.5, 1000001, -0.75, 0.25, -0.75, 999998],
    [1000001.3205269465, 999999.9153261159, 999997.7641469375],
  ],
  [
    "tiny",
    [
      2.0000000063421537e-30, -1.0000000031710769e-30, 5.000000015855384e-31, -1.0000000031710769e-30,
      3.0000000095132306e-30, 4.0000000126843074e-30, 5.000000015855384e-31, 4.0000000126843074e-30,
      -5.000000015855384e-30,
    ],
    [4.849369701969354e-30, 1.889560198861159e-30, -6.738929900830514e-30],
  ],
  [
    "huge",
    [
      1.9999999867631625e37, -9.999999933815813e36, 4.999999966907906e36, -9.999999933815813e36,
      3.000000106909804e37, 3.999999973526325e37, 4.999999966907906e36, 3.999999973526325e37,
      -4.999999840142846e37,
    ],
    [4.849369773074728e37, 1.8895601897359027e37, -6.738929709280511e37],
  ],
  [
    "of entries of all sizes",
    [1000000, 10, 0, 10, 1, 0.0010000000474974513, 0, 0.0010000000474974513, 9.999999747378752e-6],
    [1000000.0001000001, 0.9999010000091166, 8.999890640600578e-6],
  ],
];

const norm = (m: readonly number[]) => Math.hypot(...m);

/** Fails unless λ and the columns of V are eigenpairs of m, and the columns are of length 1 and perpendicular. */
function expectEigenpairs(
  m: readonly number[],
  values: readonly number[],
  vectors: readonly number[],
  what: string,
) {
  const column = (k: number) => [vectors[k], vectors[3 + k], vectors[6 + k]];
  for (let k = 0; k < 3; k++) {
    const v = column(k);
    const residual = v.map(
      (_, r) => m[3 * r] * v[0] + m[3 * r + 1] * v[1] + m[3 * r + 2] * v[2] - values[k] * v[r],
    );
    expectArraysClose(residual, [0, 0, 0], { absolute: 20 * ulp * norm(m) }, `${what}: A v - λ v, ${k}`);
    for (let l = k; l < 3; l++) {
      const w = column(l);
      const product = v[0] * w[0] + v[1] * w[1] + v[2] * w[2];
      expectArraysClose([product], [Number(k === l)], { absolute: 20 * ulp }, `${what}: vectors ${k}, ${l}`);
    }
    expect(Math.max(...v), what).toBeGreaterThan(Math.max(...v.map(Math.abs)) - 20 * ulp);
  }
}

const slice = (values: ArrayLike<number>, at: number, n: number) =>
  Array.from({ length: n }, (_, i) => values[at * n + i]);

/** Tensors whose decompositions are known, and properties of all of them; every strategy must give them. */
export function describeTensorCases(run: Run, runs: number): void {
  describe("eigenvalue and eigenvector", () => {
    it("agree with NumPy, whatever eigenvalues coincide and however large the entries are", async () => {
      const got = await run("l = eigenvalue(m); v = eigenvector(m)", tensors(symmetric.map(([, m]) => m)));
      symmetric.forEach(([name, m, expected], at) => {
        const values = slice(got.l, at, 3);
        expectArraysClose(values, expected, { absolute: 10 * ulp * norm(m) }, name);
        expectEigenpairs(m, values, slice(got.v, at, 9), name);
      });
    });

    it("are eigenpairs of random tensors of small whole numbers, many of which are degenerate", async () => {
      const entry = fc.integer({ min: -2, max: 2 });
      const tensor = fc
        .tuple(entry, entry, entry, entry, entry, entry)
        .map(([a, b, c, d, e, f]) => [a, b, c, b, d, e, c, e, f]);
      await fc.assert(
        fc.asyncProperty(fc.array(tensor, { minLength: 20, maxLength: 60 }), async (list) => {
          const got = await run("l = eigenvalue(m); v = eigenvector(m); t = trace(m)", tensors(list));
          list.forEach((m, at) => {
            const [a, b, c] = slice(got.l, at, 3);
            expect(a >= b && b >= c).toBe(true);
            expectArraysClose([a + b + c], [got.t[at]], { absolute: 30 * ulp });
            expectEigenpairs(m, [a, b, c], slice(got.v, at, 9), `[${m.join(", ")}]`);
          });
        }),
        { numRuns: runs, seed: 5 },
      );
    });

    it("list the vectors as columns, in the order of the values", async () => {
      // NumPy's linalg.eigh, columns reversed and turned so that their largest components are positive.
      const expected = [
        -0.2541308884125754, 0.9623218538269377, -0.09671680930283241, 0.9005210244010348,
        0.19895318027163755, -0.38662580962930015, 0.3528163490632852, 0.18534908067451172,
        0.9171512100666757,
      ];
      const got = await run("v = eigenvector(m)", tensors([symmetric[0][1]]));
      expectArraysClose(got.v, expected, { absolute: 20 * ulp });
    });

    it("take the symmetric part of a tensor, and are not a number where an entry is none", async () => {
      const turned = [2, -1.5, 0, -0.5, 3, 7, 1, 1, -5];
      const got = await run(
        "l = eigenvalue(m); v = eigenvector(m)",
        tensors([
          turned,
          [1, 0, 0, 0, Number.NaN, 0, 0, 0, 1],
          [1, 0, Number.POSITIVE_INFINITY, 0, 1, 0, 0, 0, 1],
        ]),
      );
      expectArraysClose(slice(got.l, 0, 3), symmetric[0][2], { absolute: 70 * ulp });
      expect(Array.from(got.l).slice(3).every(Number.isNaN)).toBe(true);
      expect(Array.from(got.v).slice(9).every(Number.isNaN)).toBe(true);
    });
  });

  describe("inverse, contraction and identity", () => {
    it("agree with NumPy", async () => {
      const m = [1, 2, -3, 0.5, 4, 1, 2, -1, 5];
      const got = await run(
        "i = inverse(m); d = determinant(m); c = contraction(m)",
        tensors([m, m.map((x) => x * 1e20), [1, 2, 3, 2, 4, 6, 1, 1, 1]]),
      );
      // NumPy's linalg.inv and linalg.det.
      const expected = [
        0.4615384615384615, -0.15384615384615383, 0.3076923076923077, -0.010989010989010988,
        0.24175824175824173, -0.054945054945054944, -0.1868131868131868, 0.10989010989010987,
        0.06593406593406592,
      ];
      expectArraysClose(slice(got.i, 0, 9), expected, { absolute: 4 * ulp });
      expectArraysClose(
        slice(got.i, 1, 9).map((x) => x * 1e20),
        expected,
        { absolute: 4 * ulp },
        "of large entries",
      );
      expect(slice(got.i, 2, 9).every(Number.isNaN), "of a singular tensor").toBe(true);
      expectArraysClose([got.d[0]], [45.5], { relative: 4 * ulp });
      expectArraysClose([got.c[0]], [norm(m) ** 2], { relative: 4 * ulp });
    });

    it("undo each other: matmul(m, inverse(m)) = identity()", async () => {
      const entry = fc.integer({ min: -4, max: 4 });
      const tensor = fc
        .array(entry, { minLength: 9, maxLength: 9 })
        .map((m) => m.map((x, i) => (i % 4 === 0 ? x + 15 : x)));
      await fc.assert(
        fc.asyncProperty(fc.array(tensor, { minLength: 10, maxLength: 20 }), async (list) => {
          const got = await run(
            "r = contraction(matmul(m, inverse(m)) - identity()); b = contraction(m, identity()) - trace(m)",
            tensors(list),
          );
          const zeros = list.map(() => 0);
          expectArraysClose(got.r, zeros, { absolute: (30 * ulp) ** 2 });
          expectArraysClose(got.b, zeros, { absolute: 10 * ulp });
        }),
        { numRuns: runs, seed: 6 },
      );
    });
  });
}
