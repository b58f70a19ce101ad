import { describe, expect, it } from "vitest";
import { ising } from "../../core/lattice/ising/ising.ts";
import { metropolisSweep, neighborSum, randomStart } from "../../core/lattice/testing/ising.ts";
import { expectArraysClose } from "../../core/testing/compare.ts";
import { createHostSimulation } from "./simulation.ts";

describe("Ising on the CPU", () => {
  it.each([
    [[4], 3],
    [[2, 2], 2],
    [[12, 6], 2],
    [[66, 4], 2],
    [[64, 4], 2],
    [[130, 2, 4], 1],
    [[4, 2, 6, 2], 2],
    [[2, 4, 2, 2, 4], 1],
    [[6, 2, 2, 2, 2, 2], 1],
  ])("makes the same sweeps as plain loops on %j", async (lengths, sweeps) => {
    const seed = [7, 0x9abcdef0] as const;
    const temperature = lengths.length + 0.5;
    const plan = ising.on(lengths);
    const parameters = { temperature };
    const simulation = createHostSimulation(plan, { seed, start: "random", parameters });
    const expected = randomStart(lengths, seed);
    expectArraysClose(plan.sitesOf(await simulation.read()), expected);
    for (let sweep = 1; sweep <= sweeps; sweep++) {
      const [sums] = await simulation.run(1, parameters);
      metropolisSweep(lengths, expected, temperature, sweep, seed);
      expectArraysClose(plan.sitesOf(await simulation.read()), expected);
      const energy = expected.reduce(
        (sum, s, site) => sum - (s * neighborSum(lengths, expected, site)) / 2,
        0,
      );
      const { energy: found, magnetization } = plan.quantitiesOf(sums);
      expect(found).toBeCloseTo(energy / expected.length, 12);
      expect(magnetization).toBeCloseTo(expected.reduce((sum, s) => sum + s, 0) / expected.length, 12);
    }
  });
});
