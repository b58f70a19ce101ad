import { describe, expect, it } from "vitest";
import { isingCrinkled, isingPlain } from "../../core/lattice/ising-sites/models.ts";
import type { LatticeModel } from "../../core/lattice/model.ts";
import {
  colourOf,
  neighborSum,
  plainSweep,
  randomSites,
  uniformOfSites,
} from "../../core/lattice/testing/ising.ts";
import { expectArraysClose } from "../../core/testing/compare.ts";
import { isSweep } from "../../gpu/testing/sweep.ts";
import { createHostSimulation } from "./simulation.ts";

const sevenAxes = [[16, 2, 2, 2, 2, 2, 2], [isingPlain, isingCrinkled], 1] as [
  number[],
  LatticeModel[],
  number,
];

describe("Ising site by site on the CPU", () => {
  it.each([
    [[16], [isingPlain, isingCrinkled], 3],
    [[48, 6], [isingPlain, isingCrinkled], 2],
    [[22, 4], [isingCrinkled], 2],
    [[16, 2, 4], [isingPlain, isingCrinkled], 2],
    ...(isSweep ? [sevenAxes] : []),
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

  it("takes the lower bits where the upper ones are those of a threshold", async () => {
    const lengths = [32, 4];
    const seed = [3, 4] as const;
    const start = randomSites(lengths, seed);
    // Black sites, updated first, that lose energy 4 or 8: at this temperature the threshold has the site's own upper bits.
    const cases = [...start.keys()].flatMap((site) => {
      const loss = 2 * start[site] * neighborSum(lengths, start, site);
      const drawn = uniformOfSites(lengths, site, 1, seed);
      const upper = Math.floor(drawn / 65536);
      if (colourOf(lengths, site) === 1 || loss <= 0 || upper < 1000) return [];
      return [{ temperature: -loss / Math.log((upper + 0.5) / 65536), isBelow: drawn % 65536 < 32768 }];
    });
    for (const isBelow of [true, false]) {
      const parameters = { temperature: cases.find((one) => one.isBelow === isBelow)!.temperature };
      const expected = start.slice();
      plainSweep("metropolis by sites", lengths, expected, parameters.temperature, 1, seed);
      for (const model of [isingPlain, isingCrinkled]) {
        const simulation = createHostSimulation(model.on(lengths, parameters), {
          seed,
          start: "random",
          parameters,
        });
        await simulation.run(1, parameters);
        expectArraysClose(await simulation.field("spin"), expected, {}, model.name);
      }
    }
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
