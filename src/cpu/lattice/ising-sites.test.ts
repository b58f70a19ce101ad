import { describe, expect, it } from "vitest";
import { isingCrinkled, isingPlain } from "../../core/lattice/ising-sites/models.ts";
import { neighborSum, plainSweep, randomSites } from "../../core/lattice/testing/ising.ts";
import { expectArraysClose } from "../../core/testing/compare.ts";
import { createHostSimulation } from "./simulation.ts";

describe("Ising site by site on the CPU", () => {
  it.each([
    [[16], [isingPlain, isingCrinkled], 3],
    [[48, 6], [isingPlain, isingCrinkled], 2],
    [[22, 4], [isingCrinkled], 2],
    [[16, 2, 4], [isingPlain, isingCrinkled], 2],
    [[16, 2, 2, 2, 2, 2, 2], [isingPlain, isingCrinkled], 1],
  ])("makes the same sweeps in all layouts as plain loops on %j", async (lengths, models, sweeps) => {
    const seed = [7, 0x9abcdef0] as const;
    const temperature = lengths.length + 0.5;
    const parameters = { temperature };
    for (const model of models) {
      const plan = model.on(lengths, parameters);
      const simulation = createHostSimulation(plan, { seed, start: "random", parameters });
      const expected = randomSites(lengths, seed);
      expectArraysClose(await simulation.field("spin"), expected, {}, model.name);
      for (let sweep = 1; sweep <= sweeps; sweep++) {
        const [sums] = await simulation.run(1, parameters);
        plainSweep("metropolis by sites", lengths, expected, temperature, sweep, seed);
        expectArraysClose(await simulation.field("spin"), expected, {}, model.name);
        const energy = expected.reduce(
          (sum, s, site) => sum - (s * neighborSum(lengths, expected, site)) / 2,
          0,
        );
        const { energy: found, magnetization } = plan.quantitiesOf(sums);
        expect(found).toBeCloseTo(energy / expected.length, 12);
        expect(magnetization).toBeCloseTo(expected.reduce((sum, s) => sum + s, 0) / expected.length, 12);
      }
    }
  });

  it("takes the lower bits where the upper ones are those of the threshold", async () => {
    // So many draws that some of them have the sixteen upper bits of a threshold: layouts would part there.
    const lengths = [256, 64];
    const parameters = { temperature: 2.269 };
    const [plain, crinkled] = await Promise.all(
      [isingPlain, isingCrinkled].map(async (model) => {
        const options = { seed: [1, 2], start: "random", parameters } as const;
        const simulation = createHostSimulation(model.on(lengths, parameters), options);
        const sums = await simulation.run(40, parameters);
        return { sums, spins: await simulation.field("spin") };
      }),
    );
    expect(plain).toEqual(crinkled);
  });

  it.each([
    [isingPlain, [24, 4], "has 24 sites along axis 0. Give it a multiple of 16 there"],
    [isingPlain, [16, 5], "has 5 sites along axis 1. Give it a multiple of 2 there"],
    [isingCrinkled, [15, 4], "odd length along axis 0"],
    [isingCrinkled, [2, 2, 2, 2, 2, 2, 2, 2], "has 8 axes"],
  ])("refuses lengths that do not fit", (model, lengths, message) => {
    expect(() => model.on(lengths, {})).toThrow(message);
  });
});
