import { describe, expect, it } from "vitest";
import { cahnHilliard } from "../../core/lattice/cahn-hilliard/cahn-hilliard.ts";
import type { Numbers } from "../../core/lattice/model.ts";
import { parametersOf } from "../../core/lattice/models.ts";
import { laplacian, squaredSlopes } from "../../core/lattice/testing/stencil.ts";
import { expectArraysClose } from "../../core/testing/compare.ts";
import { isSweep } from "../../gpu/testing/sweep.ts";
import { createHostSimulation } from "./simulation.ts";

const begin = (lengths: readonly number[], given: Readonly<Record<string, number>> = {}, seed = 4) => {
  const parameters = parametersOf(cahnHilliard, given, lengths.length);
  const plan = cahnHilliard.on(lengths, parameters);
  return {
    plan,
    parameters,
    simulation: createHostSimulation(plan, { seed: [seed, 0], start: "random", parameters }),
  };
};

/** Of the straight line that fits best. */
function slopeOf(x: readonly number[], y: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [middle, level] = [mean(x), mean(y)];
  return (
    mean(x.map((value, k) => (value - middle) * (y[k] - level))) /
    mean(x.map((value) => (value - middle) ** 2))
  );
}

describe("Cahn–Hilliard on the CPU", () => {
  it.each([
    [[9]],
    [[1]],
    [[2]],
    [[12, 7]],
    [[1, 13]],
    [[11, 1]],
    [[6, 5, 4]],
    [[5, 1, 7]],
    [[3, 5, 2, 7]],
    [[1, 3, 1, 2]],
  ])("steps as plain loops in double precision do on %j", async (lengths) => {
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
  });

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

  it.runIf(isSweep)(
    "has domains that grow as t^(1/3), while mass and energy do what they should",
    { timeout: 2_400_000 },
    async ({ annotate }) => {
      const [from, to, batch] = [4000, 20_000, 500];
      const seeds = [1, 2, 3];
      const exponents: number[] = [];
      for (const seed of seeds) {
        const { plan, parameters, simulation } = begin([192, 192], { step: 0.04 }, seed);
        const series: Numbers[] = [];
        while (series.length < to) {
          series.push(...(await simulation.run(batch, parameters)).map(plan.quantitiesOf));
        }
        const energies = series.map(({ energy }) => energy);
        const rise = Math.max(...energies.slice(1).map((energy, k) => energy - energies[k]));
        const drift = Math.max(...series.map(({ mass }) => Math.abs(mass - series[0].mass)));
        // Interfaces have all of the energy: it falls as their length, which is inverse to the size of domains.
        const times = Array.from({ length: 25 }, (_, k) => Math.round(from * (to / from) ** (k / 24)));
        const exponent = -slopeOf(
          times.map((sweep) => Math.log(sweep)),
          times.map((sweep) => Math.log(energies[sweep - 1])),
        );
        await annotate(
          `seed ${seed}: exponent ${exponent}, mass drifts by ${drift}, energy rises by ${rise}`,
        );
        expect(rise).toBeLessThan(1e-7);
        expect(drift).toBeLessThan(2 ** -24 * Math.sqrt(to));
        exponents.push(exponent);
      }
      const mean = exponents.reduce((sum, value) => sum + value, 0) / exponents.length;
      const squares = exponents.reduce((sum, value) => sum + (value - mean) ** 2, 0);
      const error = Math.sqrt(squares / (exponents.length * (exponents.length - 1)));
      await annotate(`exponent ${mean} ± ${error} for t from ${0.04 * from} to ${0.04 * to}`);
      expect(Math.abs(mean - 1 / 3)).toBeLessThan(0.03);
    },
  );

  it("refuses steps that are unstable", () => {
    const { plan, parameters } = begin([8, 8]);
    expect(() => plan.constantsOf({ ...parameters, step: 0.1 })).toThrow(
      "Steps of 0.1 are unstable with stiffness 0.5 along 2 axes. Give a step of at most 0.041667.",
    );
  });
});
