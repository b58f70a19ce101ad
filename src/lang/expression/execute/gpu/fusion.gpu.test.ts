import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { DataSet } from "../../../../core/field.ts";
import type { Triple } from "../../../../core/grid.ts";
import { expectArraysClose } from "../../../../core/testing/compare.ts";
import { testGpu } from "../../../../gpu/testing/context.ts";
import { isSweep } from "../../../../gpu/testing/sweep.ts";
import { dataSetOf, randomGrid, sampledField } from "../testing/data-sets.ts";
import { runOnCpu, runOnGpu } from "../testing/evaluate.ts";

function flowOn(dims: Triple, seed: number): DataSet {
  const grid = randomGrid(dims, seed);
  return dataSetOf(
    grid,
    sampledField(grid, "velocity", "node", (x, y, z) => [Math.sin(3 * y), x * z, Math.cos(2 * x) + y]),
    sampledField(grid, "p", "node", (x, y, z) => Math.exp(-x * x - y * y) * Math.cos(z)),
    sampledField(grid, "rho", "cell", (x, y, z) => 1 + x + y * z),
    sampledField(grid, "six", "node", (x, y, z) => [x, y, z, x * y, y * z, z * x]),
  );
}

/** Texts and the kernels that they may cost. */
const programs: readonly (readonly [text: string, kernels: number])[] = [
  ["a = p * 2 + 1", 1],
  ["a = magnitude(velocity)", 1],
  ["a = six[4] - six[1]; g = gradient(six[3])", 1],
  ["q = q_criterion(velocity)", 1],
  ["w = curl(velocity); q = q_criterion(velocity); l = lambda2(velocity)", 1],
  ["g = gradient(magnitude(velocity))", 1],
  ["g = gradient(magnitude(curl(velocity)))", 2],
  ["c = curl(curl(velocity)); s = p", 2],
  ["a = recenter(rho)", 1],
  ["a = recenter(velocity)", 1],
  ["a = gradient(recenter(magnitude(curl(velocity))))", 3],
  ["a = rho + p", 1],
  ["a = laplacian(p); b = laplacian(velocity)", 1],
  ["a = coords; b = gradient(coords)", 1],
  ["a = 3", 0],
  ["a = velocity; b = a", 1],
  ["a = if(p > 0.5, velocity, 0 * velocity)", 1],
];

describe("fusion gives what the CPU gives", () => {
  const dataSet = flowOn([11, 9, 7], 1);
  for (const [text, kernels] of programs) {
    it(`for ${text}`, async () => {
      const gpu = await testGpu();
      const got = await runOnGpu(gpu, text, dataSet);
      const expected = await runOnCpu(text, dataSet);
      for (const [name, values] of Object.entries(expected)) {
        expectArraysClose(got.results[name], values, { absolute: 2e-3, relative: 1e-3 }, name);
      }
      expect(got.kernels.length).toBe(kernels);
    });
  }

  it("for constant zeros beside values that are not finite", async () => {
    const grid = randomGrid([5, 1, 1], 3);
    const values = [0, 1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN];
    const special = dataSetOf(grid, {
      name: "s",
      centering: "node",
      components: 1,
      dtype: "f32",
      data: Float32Array.from(values),
    });
    const text = "a = 0 * s; b = 0 / s; c = {0, 0, 0} * s; d = (1 / s) * 0; e = -0 * s; f = s - s";
    const got = await runOnGpu(await testGpu(), text, special);
    for (const [name, expected] of Object.entries(await runOnCpu(text, special))) {
      expectArraysClose(got.results[name], expected, {}, name);
    }
  });

  it("for small variations around large offsets", async () => {
    const grid = randomGrid([7, 6, 5], 5);
    const wave = sampledField(grid, "s", "node", (x, y, z) => Math.sin(4 * x + 3 * y) * Math.cos(z));
    const around = (name: string, level: number) => ({
      ...wave,
      name,
      dtype: "f64" as const,
      data: Float64Array.from(wave.data as Float32Array, (v, i) => level + v * (1 + (i % 3))),
    });
    const offset = dataSetOf(grid, around("p", 1e9), around("q", 1e9 + 7));
    const text = [
      "a = p - 1000000000; b = 1000000000.25 - p; c = p - q; d = q + -1000000007",
      "e = p > 1000000000.25; f = 1000000000 <= p; g = gradient(2 * p - 1); h = laplacian(7 - p / 3)",
    ].join("\n");
    const got = await runOnGpu(await testGpu(), text, offset);
    for (const [name, expected] of Object.entries(await runOnCpu(text, offset))) {
      const largest = Math.max(1, ...Array.from(expected, Math.abs));
      expectArraysClose(got.results[name], expected, { absolute: 1e-5 * largest }, name);
    }
  });

  it("for any scalar expression, on any grid", async () => {
    const { scalar } = fc.letrec<{ scalar: string; vector: string }>((tie) => ({
      scalar: fc.oneof(
        { maxDepth: 4, depthSize: "small" },
        fc.constantFrom("p", "rho", "velocity[1]", "six[4]", "x", "z", "0.5", "laplacian(p)"),
        fc
          .tuple(tie("scalar"), fc.constantFrom("+", "-", "*"), tie("scalar"))
          .map(([a, op, b]) => `(${a} ${op} ${b})`),
        fc.tuple(tie("scalar"), tie("scalar")).map(([a, b]) => `if(p > 0.31, ${a}, ${b})`),
        fc.tuple(tie("scalar"), tie("scalar")).map(([a, b]) => `min(${a}, ${b})`),
        tie("vector").map((v) => `divergence(${v})`),
        tie("vector").map((v) => `${v}[2]`),
        tie("scalar").map((s) => `sin(${s})`),
        tie("scalar").map((s) => `recenter(${s})`),
      ),
      vector: fc.oneof(
        { maxDepth: 4, depthSize: "small" },
        fc.constantFrom("velocity", "coords"),
        tie("scalar").map((s) => `gradient(${s})`),
        tie("vector").map((v) => `curl(${v})`),
        fc.tuple(tie("scalar"), tie("vector")).map(([s, v]) => `(${s} * ${v})`),
        fc.tuple(tie("scalar"), tie("scalar"), tie("scalar")).map((parts) => `{${parts.join(", ")}}`),
      ),
    }));
    const dims = fc.tuple(
      ...([1, 2, 3].map(() => fc.integer({ min: 1, max: 9 })) as [
        fc.Arbitrary<number>,
        fc.Arbitrary<number>,
        fc.Arbitrary<number>,
      ]),
    );
    await fc.assert(
      fc.asyncProperty(scalar, scalar, dims, fc.integer({ min: 0, max: 99 }), async (a, b, extents, seed) => {
        const dataSet = flowOn(extents, seed);
        const text = `a = ${a}; b = ${b}`;
        const expected = await runOnCpu(text, dataSet);
        const { results } = await runOnGpu(await testGpu(), text, dataSet);
        for (const [name, values] of Object.entries(expected)) {
          const largest = Math.max(1, ...Array.from(values, Math.abs));
          // Each derivative divides f32's rounding by steps of at least 0.05.
          expectArraysClose(results[name], values, { absolute: 2e-3 * largest }, `${name} of ${text}`);
        }
      }),
      { numRuns: isSweep ? 60 : 25, seed: 7 },
    );
  });
});
