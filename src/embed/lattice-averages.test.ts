/** What models with a temperature are on average, beside what is known exactly, and beside one another. */
import { describe, expect, it } from "vitest";
import { deviation } from "../core/lattice/testing/deviation.ts";
import { canonical, levels4x4, pottsLevels } from "../core/lattice/testing/enumeration.ts";
import { criticalTemperature, infiniteLattice, torusEnergy } from "../core/lattice/testing/torus.ts";
import { isSweep } from "../gpu/testing/sweep.ts";
import { lattice } from "./crinkle.ts";

const cpu = { device: "cpu" } as const;
const levels = levels4x4();

describe("averages on small lattices", () => {
  it.each([
    ["ising", [4, 4], {}, () => levels, [2.5, 1.5, 2, 3, 5]],
    ["ising-heat-bath", [4, 4], {}, () => levels, [2.5, 1.5, 2, 3, 5]],
    ["potts", [4, 2], { states: 3 }, () => pottsLevels([4, 2], 3), [1.1, 0.7, 1.5, 3]],
    ["ising-swendsen-wang", [4, 4], {}, () => levels, [2.5, 1.5, 2, 3, 5]],
    ["potts-swendsen-wang", [3, 2], { states: 3 }, () => pottsLevels([3, 2], 3), [1.1, 0.7, 3]],
  ] as const)(
    "agree with the enumeration of all states: %s on %j",
    { timeout: 120_000 },
    async (name, size, fixed, levelsOf, temperatures) => {
      const all = levelsOf();
      const sites = size[0] * size[1];
      for (const temperature of isSweep ? temperatures : temperatures.slice(0, 1)) {
        const { measures } = await lattice.simulate(name, {
          size,
          sweeps: name.endsWith("wang") ? (isSweep ? 3000 : 600) : isSweep ? 200_000 : 6000,
          parameters: { temperature, ...fixed },
          seed: 11,
          discard: 100,
          ...cpu,
        });
        const levelsNow = canonical(all, temperature);
        const mean = (of: (energy: number, m: number) => number) =>
          levelsNow.reduce(
            (sum, { energy, magnetization, p }) => sum + p * of(energy / sites, magnetization / sites),
            0,
          );
        const [e, m] = [mean((energy) => energy), mean((_, size) => size)];
        expect(deviation(measures.energy, e)).toBeLessThan(3);
        expect(deviation(measures.magnetization, m)).toBeLessThan(3);
        const heat = (sites * (mean((energy) => energy ** 2) - e ** 2)) / temperature ** 2;
        expect(deviation(measures.heatCapacity, heat)).toBeLessThan(3.5);
        const m2 = mean((_, size) => size ** 2);
        expect(deviation(measures.susceptibility, (sites * (m2 - m ** 2)) / temperature)).toBeLessThan(3.5);
        const binder = 1 - mean((_, size) => size ** 4) / (3 * m2 ** 2);
        expect(deviation(measures.binder, binder)).toBeLessThan(3.5);
        if (isSweep && !name.endsWith("wang")) expect(measures.energy.error).toBeLessThan(0.003);
      }
    },
  );

  it.runIf(isSweep)(
    "come from states that are visited as often as they should be, by χ²",
    { timeout: 60_000 },
    async () => {
      const temperature = 4;
      const spacing = 20;
      const { series } = await lattice.simulate("ising", {
        size: [4, 4],
        sweeps: 400_000,
        parameters: { temperature },
        seed: 5,
        ...cpu,
      });
      const seen = new Map<string, number>();
      const samples = Math.floor(series.energy.length / spacing);
      for (let k = 0; k < samples; k++) {
        const at = spacing * k + spacing - 1;
        const key = `${Math.round(16 * series.energy[at])} ${Math.round(16 * Math.abs(series.magnetization[at]))}`;
        seen.set(key, (seen.get(key) ?? 0) + 1);
      }
      const common = canonical(levels, temperature).filter(({ p }) => p * samples >= 10);
      const squares = common.reduce((sum, { energy, magnetization, p }) => {
        const expected = p * samples;
        return sum + ((seen.get(`${energy} ${magnetization}`) ?? 0) - expected) ** 2 / expected;
      }, 0);
      // χ² of n levels has the mean n and the variance 2n.
      expect(common.length).toBeGreaterThan(20);
      expect(Math.abs(squares - common.length) / Math.sqrt(2 * common.length)).toBeLessThan(3);
    },
  );
});

describe("averages on larger lattices", () => {
  it("agree with Onsager and Yang far from the critical point", { timeout: 120_000 }, async () => {
    for (const temperature of isSweep ? [1.8, 2, 2.1, 2.6, 3] : [2]) {
      const { measures } = await lattice.simulate("ising", {
        size: isSweep ? [256, 256] : [64, 64],
        sweeps: isSweep ? 6000 : 1500,
        parameters: { temperature },
        start: temperature < criticalTemperature ? "ordered" : "random",
        seed: 3,
        ...cpu,
      });
      const exact = infiniteLattice(temperature);
      expect(deviation(measures.energy, exact.energy)).toBeLessThan(3);
      if (temperature < criticalTemperature)
        expect(deviation(measures.magnetization, exact.magnetization)).toBeLessThan(3);
      else expect(measures.magnetization.mean).toBeLessThan(0.1);
    }
  });

  // At, below and above the critical temperature.
  it.for([
    ["ising", "ising-swendsen-wang", [criticalTemperature, 2.1, 2.5]],
    ["potts", "potts-swendsen-wang", [1 / Math.log(1 + Math.sqrt(3)), 0.95, 1.05]],
  ] as const)(
    "are the same of %s as of %s",
    { timeout: 1_200_000 },
    async ([name, byClusters, temperatures], { annotate }) => {
      const size = isSweep ? ([16, 16] as const) : ([8, 8] as const);
      for (const temperature of isSweep ? temperatures : temperatures.slice(0, 1)) {
        const measured = async (model: string, sweeps: number, seed: number) =>
          (await lattice.simulate(model, { size, sweeps, seed, parameters: { temperature }, ...cpu }))
            .measures;
        const bySites = await measured(name, isSweep ? 40_000 : 4000, 21);
        const wholes = await measured(byClusters, isSweep ? 2500 : 300, 22);
        for (const measure of ["energy", "magnetization"]) {
          const [one, other] = [bySites[measure], wholes[measure]];
          await annotate(
            `T = ${temperature}, ${measure}: ${one.mean} ± ${one.error} and ${other.mean} ± ${other.error}`,
          );
          expect(deviation(one, other)).toBeLessThan(3);
          expect(Math.max(one.error!, other.error!)).toBeLessThan(isSweep ? 0.015 : 0.05);
          if (name === "potts" || measure === "magnetization") continue;
          const exact = torusEnergy(size, temperature);
          for (const each of [one, other]) expect(deviation(each, exact)).toBeLessThan(3);
        }
      }
    },
  );

  it.runIf(isSweep)(
    "of the Potts model at its critical temperature are what self-duality says",
    { timeout: 120_000 },
    async () => {
      for (const states of [2, 3]) {
        const { measures } = await lattice.simulate("potts", {
          size: [64, 64],
          sweeps: 8000,
          parameters: { states, temperature: 1 / Math.log(1 + Math.sqrt(states)) },
          ...cpu,
        });
        // −(1 + 1/√q) of the infinite lattice; of 64² sites it is lower by a few hundredths.
        const below = -(1 + 1 / Math.sqrt(states)) - measures.energy.mean;
        expect(below).toBeGreaterThan(-3 * measures.energy.error!);
        expect(below).toBeLessThan(0.03);
      }
    },
  );
});
