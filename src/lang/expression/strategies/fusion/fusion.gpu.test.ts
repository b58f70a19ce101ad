import { describe, expect, it } from "vitest";
import { expectArraysClose } from "../../../../core/testing/compare.ts";
import { testGpu } from "../../../../gpu/testing/context.ts";
import { dataSetOf, randomGrid, sampledField } from "../testing/data-sets.ts";
import { runOnCpu, runOnGpu } from "../testing/evaluate.ts";

const grid = randomGrid([11, 9, 7], 1);
const dataSet = dataSetOf(
  grid,
  sampledField(grid, "velocity", "node", (x, y, z) => [Math.sin(3 * y), x * z, Math.cos(2 * x) + y]),
  sampledField(grid, "p", "node", (x, y, z) => Math.exp(-x * x - y * y) * Math.cos(z)),
  sampledField(grid, "rho", "cell", (x, y, z) => 1 + x + y * z),
);

const programs: readonly (readonly [text: string, kernels: number])[] = [
  ["a = p * 2 + 1", 1],
  ["a = magnitude(velocity)", 1],
  ["q = q_criterion(velocity)", 1],
  ["w = curl(velocity); q = q_criterion(velocity); l = lambda2(velocity)", 1],
  ["g = gradient(magnitude(velocity))", 1],
  ["g = gradient(magnitude(curl(velocity)))", 2],
  ["c = curl(curl(velocity)); s = p", 2],
  ["a = recenter(rho)", 1],
  ["a = rho + p", 1],
  ["a = laplacian(p); b = laplacian(velocity)", 1],
  ["a = laplacian(laplacian(p))", 2],
  ["a = coords; b = gradient(coords)", 1],
  ["a = 3", 1],
  ["a = velocity; b = a", 1],
  ["a = if(p > 0.5, velocity, 0 * velocity)", 1],
];

describe("fusion", () => {
  for (const [text, kernels] of programs) {
    it(`computes ${text}`, async () => {
      const gpu = await testGpu();
      const got = await runOnGpu(gpu, text, dataSet);
      const due = await runOnCpu(text, dataSet);
      for (const [name, values] of Object.entries(due)) {
        expectArraysClose(got.results[name], values, { absolute: 2e-3, relative: 1e-3 }, name);
      }
      expect(got.kernels.length).toBe(kernels);
    });
  }
});
