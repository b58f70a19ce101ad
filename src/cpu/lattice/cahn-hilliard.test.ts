import { describe, expect, it } from "vitest";
import { cahnHilliard } from "../../core/lattice/cahn-hilliard/cahn-hilliard.ts";
import { parametersOf } from "../../core/lattice/models.ts";
import { laplacian, squaredSlopes } from "../../core/lattice/testing/stencil.ts";
import { expectArraysClose } from "../../core/testing/compare.ts";
import { createHostSimulation } from "./simulation.ts";

const begin = (lengths: readonly number[], given: Readonly<Record<string, number>> = {}) => {
  const parameters = parametersOf(cahnHilliard, given);
  const plan = cahnHilliard.on(lengths, parameters);
  return {
    plan,
    parameters,
    simulation: createHostSimulation(plan, { seed: [4, 0], start: "random", parameters }),
  };
};

describe("Cahn–Hilliard on the CPU", () => {
  it.each([[[9]], [[12, 7]], [[6, 5, 4]]])(
    "steps as plain loops in double precision do on %j",
    async (lengths) => {
      const { plan, parameters, simulation } = begin(lengths, { mean: 0.2, noise: 0.8, step: 0.01 });
      const { stiffness, step } = parameters;
      let phi = Float64Array.from(await simulation.field("phi"));
      for (let n = 0; n < 20; n++) {
        const curved = laplacian(lengths, phi);
        const mu = phi.map((value, i) => value ** 3 - value - stiffness * curved[i]);
        const gained = laplacian(lengths, mu);
        phi = phi.map((value, i) => value + step * gained[i]);
      }
      const sums = await simulation.run(20, parameters);
      expectArraysClose(await simulation.field("phi"), phi, { absolute: 2e-6 });
      const { mass, energy } = plan.quantitiesOf(sums.at(-1)!);
      expect(mass).toBeCloseTo(phi.reduce((sum, value) => sum + value, 0) / phi.length, 6);
      const wells = phi.reduce((sum, value) => sum + (value ** 2 - 1) ** 2 / 4, 0);
      const expected = (wells + (stiffness / 2) * squaredSlopes(lengths, phi)) / phi.length;
      expect(energy).toBeCloseTo(expected, 6);
    },
  );

  it("keeps its mass to rounding, and its energy never rises", async () => {
    const { plan, parameters, simulation } = begin([32, 32], { mean: -0.1 });
    const series = (await simulation.run(1500, parameters)).map(plan.quantitiesOf);
    const { mass } = series[0];
    for (const [k, { energy, mass: now }] of series.entries()) {
      // A step rounds each of 1024 numbers below 2 by up to 2⁻²⁴.
      expect(Math.abs(now - mass)).toBeLessThan(2 ** -24 * Math.sqrt(k + 1));
      if (k > 0) expect(energy).toBeLessThan(series[k - 1].energy + 1e-7);
    }
    expect(series.at(-1)!.energy).toBeLessThan(0.7 * series[0].energy);
  });

  it("refuses steps that are unstable", () => {
    const { plan, parameters } = begin([8, 8]);
    expect(() => plan.constantsOf({ ...parameters, step: 0.1 })).toThrow(
      "Steps of 0.1 are unstable with stiffness 0.5 along 2 axes. Give a step of at most 0.041667.",
    );
  });
});
