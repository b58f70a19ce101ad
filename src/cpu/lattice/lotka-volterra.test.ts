import { describe, expect, it } from "vitest";
import { lotkaVolterra } from "../../core/lattice/lotka-volterra/lotka-volterra.ts";
import { parametersOf } from "../../core/lattice/models.ts";
import { laplacian } from "../../core/lattice/testing/stencil.ts";
import { expectArraysClose } from "../../core/testing/compare.ts";
import { createHostSimulation } from "./simulation.ts";

const begin = (
  lengths: readonly number[],
  given: Readonly<Record<string, number>>,
  start: "spot" | "random",
) => {
  const parameters = parametersOf(lotkaVolterra, given, lengths.length);
  const plan = lotkaVolterra.on(lengths, parameters);
  return {
    plan,
    parameters,
    simulation: createHostSimulation(plan, { seed: [4, 0], start, parameters }),
  };
};

describe("Lotka–Volterra on the CPU", () => {
  // NumPy in float64: u[k] + .02 * (.2 * lap(u[k]) + u[k] * (rate - u[k + 1])), where lap sums np.roll(a, ±1, axis) − a over the axes, and
  // rate is 1 - u[0] / 10 of the first species and .5 * u[k - 1] - .5 of the others, from 1 and from 1/2 in the middle quarter;
  // means, and u[1].ravel()[:: n // 8][:8].
  it.each([
    {
      lengths: [20, 12],
      species: 2,
      steps: 400,
      means: [0.08324139416363302, 1.1853027075424345],
      sites: [2.547992, 0.805881, 1.938924, 0.628052, 1.765436, 0.628052, 2.123922, 0.805881],
    },
    {
      lengths: [10, 8, 6],
      species: 3,
      steps: 200,
      means: [5.273075424703256, 1.4600932698739337, 0.00736469680706649],
      sites: [0.034557, 0.11795, 1.048367, 1.036478, 0.152635, 0.459642, 1.048367, 0.32197],
    },
  ])(
    "has the densities that NumPy has of $species species after $steps steps on $lengths",
    async ({ lengths, species, steps, means, sites }) => {
      const { plan, parameters, simulation } = begin(lengths, { species }, "spot");
      const found = plan.quantitiesOf((await simulation.run(steps / 2, parameters)).at(-1)!);
      for (const [k, mean] of means.entries()) expect(found[`species_${k + 1}`] / mean).toBeCloseTo(1, 4);
      const values = await simulation.field("species_2");
      const every = Math.floor(values.length / 8);
      for (const [k, expected] of sites.entries()) {
        expect(Math.abs(values[k * every] - expected)).toBeLessThan(2e-6 + 2e-5 * expected);
      }
    },
  );

  it.each([
    [[1], 2],
    [[13], 3],
    [[1, 7], 2],
    [[11, 2], 1],
    [[3, 1, 5], 4],
    [[7, 3, 2], 2],
    [[3, 5, 2, 7], 3],
    [[1, 2, 1, 3], 2],
  ])("steps as plain loops in double precision do on %j with %d species", async (lengths, species) => {
    const { parameters, simulation } = begin(lengths, { species, capacity: 3 }, "random");
    const { growth, capacity, predation, conversion, death, diffusion, step } = parameters;
    const names = Array.from({ length: species }, (_, k) => `species_${k + 1}`);
    const found = () => Promise.all(names.map((name) => simulation.field(name)));
    let u = (await found()).map((values) => Float64Array.from(values));
    for (let n = 0; n < 20; n++) {
      const spread = u.map((values) => laplacian(lengths, values));
      u = u.map((values, k) =>
        values.map((own, i) => {
          const born = k === 0 ? growth * (1 - own / capacity) : conversion * predation * u[k - 1][i] - death;
          const eaten = k + 1 < species ? predation * u[k + 1][i] : 0;
          return own + step * (diffusion * spread[k][i] + own * (born - eaten));
        }),
      );
    }
    await simulation.run(10, parameters);
    for (const [k, values] of (await found()).entries()) expectArraysClose(values, u[k], { absolute: 3e-6 });
  });

  it("stays at the equilibrium of predator and prey, and grows to capacity without predators", async () => {
    // death = conversion · predation · u, growth · (1 − u / capacity) = predation · v.
    const { plan, parameters, simulation } = begin([6, 4], { species: 1, step: 0.1 }, "random");
    const last = plan.quantitiesOf((await simulation.run(400, parameters)).at(-1)!);
    expect(last.species_1).toBeCloseTo(10, 3);
    const two = begin([4, 4], { species: 2, step: 0.1 }, "random");
    const series = (await two.simulation.run(1500, two.parameters)).map(two.plan.quantitiesOf);
    expect(series.at(-1)!.species_1).toBeCloseTo(1, 2);
    expect(series.at(-1)!.species_2).toBeCloseTo(0.9, 2);
  });

  it("refuses lattices of more than nine axes", () => {
    expect(() => begin(new Array(10).fill(2), {}, "random")).toThrow("The lattice has 10 axes.");
  });
});
