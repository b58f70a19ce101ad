import { describe, expect, it } from "vitest";
import { grayScott } from "../../core/lattice/gray-scott/gray-scott.ts";
import { parametersOf } from "../../core/lattice/models.ts";
import { laplacian } from "../../core/lattice/testing/stencil.ts";
import { expectArraysClose } from "../../core/testing/compare.ts";
import { createHostSimulation } from "./simulation.ts";

const parameters = parametersOf(grayScott, {}, 2);
const seed = [1, 0] as const;

describe("Gray–Scott on the CPU", () => {
  // NumPy in float64: u, v = u + lap(u) * .16 - u * v * v + .037 * (1 - u), v + lap(v) * .08 + u * v * v - .097 * v, where lap sums
  // np.roll(a, ±1, axis) − a over the axes, from 1/2 and 1/4 in the middle quarter; v.ravel()[:: n // 12][:12].
  it.each([
    {
      lengths: [24, 20],
      steps: 400,
      u: 0.5412825176016384,
      v: 0.17549441638387783,
      sites: [
        0.005704, 0.153773, 0.299214, 0.059064, 0.272281, 0.122365, 0.078142, 0.183514, 0.233025, 0.043808,
        0.316168, 0.142926,
      ],
    },
    {
      lengths: [16, 12, 10],
      steps: 40,
      u: 0.9866503534030809,
      v: 0.00321262881270691,
      sites: [6e-6, 1e-5, 3.8e-5, 9.5e-5, 0.000111, 5.7e-5, 2e-5, 3.2e-5, 7.9e-5, 9.5e-5, 5.3e-5, 1.7e-5],
    },
  ])(
    "has the values that NumPy has after $steps steps on $lengths",
    async ({ lengths, steps, u, v, sites }) => {
      const plan = grayScott.on(lengths, parameters);
      const simulation = createHostSimulation(plan, { seed, start: "spot", parameters });
      const means = plan.quantitiesOf((await simulation.run(steps / 2, parameters)).at(-1)!);
      expect(means.u).toBeCloseTo(u, 5);
      expect(means.v).toBeCloseTo(v, 5);
      const found = await simulation.field("v");
      const every = Math.floor(found.length / 12);
      for (const [k, expected] of sites.entries())
        expect(Math.abs(found[k * every] - expected)).toBeLessThan(2e-6 + 2e-5 * expected);
    },
  );

  it.each([[[1]], [[13]], [[1, 7]], [[11, 2]], [[3, 1, 5]], [[7, 3, 2]], [[3, 5, 2, 7]], [[1, 2, 1, 3]]])(
    "steps as plain loops in double precision do on %j",
    async (lengths) => {
      const given = parametersOf(grayScott, { step: 0.5 }, lengths.length);
      const { feed, kill, diffusionU, diffusionV, step } = given;
      const plan = grayScott.on(lengths, given);
      const simulation = createHostSimulation(plan, { seed, start: "random", parameters: given });
      let [u, v] = await Promise.all(
        ["u", "v"].map(async (field) => Float64Array.from(await simulation.field(field))),
      );
      for (let n = 0; n < 12; n++) {
        const [spreadU, spreadV] = [laplacian(lengths, u), laplacian(lengths, v)];
        const reaction = u.map((value, i) => value * v[i] ** 2);
        [u, v] = [
          u.map((value, i) => value + step * (diffusionU * spreadU[i] - reaction[i] + feed * (1 - value))),
          v.map((value, i) => value + step * (diffusionV * spreadV[i] + reaction[i] - (feed + kill) * value)),
        ];
      }
      await simulation.run(6, given);
      expectArraysClose(await simulation.field("u"), u, { absolute: 2e-6 });
      expectArraysClose(await simulation.field("v"), v, { absolute: 2e-6 });
    },
  );

  it("begins at random with noise, and refuses steps that are unstable", async () => {
    const plan = grayScott.on([16, 16, 4, 2], parameters);
    const start = (words: readonly [number, number]) =>
      createHostSimulation(plan, { seed: words, start: "random", parameters: stable }).field("v");
    const stable = { ...parameters, step: 0.5 };
    const first = await start([1, 0]);
    expect(new Set(first).size).toBeGreaterThan(2000);
    expect(Math.min(...first)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...first)).toBeLessThan(0.26);
    expect(await start([2, 0])).not.toEqual(first);
    expect(() => plan.constantsOf(parameters)).toThrow(
      "Steps of 1 are unstable with diffusion 0.16 along 4 axes. Give a step of at most 0.78125.",
    );
  });
});
