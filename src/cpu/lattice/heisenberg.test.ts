import { describe, expect, it } from "vitest";
import { directionText } from "../../core/lattice/heisenberg/direction.ts";
import { heisenberg } from "../../core/lattice/heisenberg/heisenberg.ts";
import { measuresOf } from "../../core/lattice/statistics.ts";
import {
  directionReference,
  heisenbergEnergy,
  plainHeisenbergSweep,
  randomSpins,
} from "../../core/lattice/testing/heisenberg.ts";
import { philoxReference } from "../../core/lattice/testing/philox.ts";
import { expectArraysClose } from "../../core/testing/compare.ts";
import { isSweep } from "../../gpu/testing/sweep.ts";
import { compileFunction } from "../../kernel/compile-js.ts";
import { parseFunctions } from "../../kernel/text/parse.ts";
import { createHostSimulation } from "./simulation.ts";

describe("Heisenberg on the CPU", () => {
  it("has directions that are uniform on the sphere", () => {
    const { functions } = parseFunctions(directionText);
    const direction = compileFunction(functions.find(({ name }) => name === "direction")!);
    const draws = isSweep ? 200_000 : 4000;
    let [found, second, fourth] = [0, [0, 0, 0], 0];
    for (let n = 0; n < draws; n++) {
      const words = philoxReference([n, 0, 0, 0], [1, 2]);
      const spin = direction(words) as number[];
      expect(spin).toEqual([...directionReference(words)]);
      const length = Math.hypot(...spin);
      if (length === 0) continue;
      expect(Math.abs(length - 4096)).toBeLessThan(1);
      found++;
      second = second.map((sum, axis) => sum + (spin[axis] / 4096) ** 2);
      fourth += (spin[0] ** 4 + spin[1] ** 4 + spin[2] ** 4) / 4096 ** 4 / 3;
    }
    // The shell's part of the cube, asked three times.
    const miss = (1 - (Math.PI / 6) * (1 - 1 / 64)) ** 3;
    expect(Math.abs(found / draws - (1 - miss))).toBeLessThan(4 * Math.sqrt((miss * (1 - miss)) / draws));
    // Variances of x² and of the mean of three fourth powers, at most.
    for (const sum of second)
      expect(Math.abs(sum / found - 1 / 3)).toBeLessThan(4 * Math.sqrt(4 / 45 / found));
    expect(Math.abs(fourth / found - 1 / 5)).toBeLessThan(4 * Math.sqrt(0.08 / found));
  });

  it.each([[[4]], [[2, 4]], [[6, 4]], [[4, 2, 6]], [[2, 2, 4, 2]]])(
    "makes the same sweeps as plain loops on %j",
    async (lengths) => {
      const seed = [7, 0x9abcdef0] as const;
      const parameters = { temperature: 0.8 };
      const plan = heisenberg.on(lengths, parameters);
      const simulation = createHostSimulation(plan, { seed, start: "random", parameters });
      const expected = randomSpins(lengths, seed);
      const found = async () => (await simulation.field("spin")).map((c) => c * 4096);
      expectArraysClose(await found(), Float32Array.from(expected.flat()));
      for (let sweep = 1; sweep <= 3; sweep++) {
        const [sums] = await simulation.run(1, parameters);
        plainHeisenbergSweep(lengths, expected, parameters.temperature, sweep, seed);
        expectArraysClose(await found(), Float32Array.from(expected.flat()));
        const { energy, magnetization } = plan.quantitiesOf(sums);
        expect(energy).toBeCloseTo(heisenbergEnergy(lengths, expected) / expected.length, 5);
        const sum = [0, 1, 2].map((c) => expected.reduce((total, spin) => total + spin[c] / 4096, 0));
        expect(magnetization).toBeCloseTo(Math.hypot(...sum) / expected.length, 5);
      }
    },
  );

  it("has the energy of a chain", { timeout: 60_000 }, async () => {
    for (const temperature of isSweep ? [0.3, 0.5, 1, 2] : [0.5]) {
      const parameters = { temperature };
      const plan = heisenberg.on([128], parameters);
      const simulation = createHostSimulation(plan, { seed: [4, 0], start: "random", parameters });
      const sums = await simulation.run(isSweep ? 8000 : 1200, parameters);
      const series = sums.slice(200).map(plan.quantitiesOf);
      const { energy } = measuresOf(heisenberg, series, { sites: 128, parameters });
      // Langevin's function of 1 / T a bond (Fisher 1964).
      const exact = -(1 / Math.tanh(1 / temperature) - temperature);
      expect(Math.abs(energy.mean - exact) / energy.error!).toBeLessThan(3);
      expect(energy.error).toBeLessThan(0.005);
    }
  });

  it.runIf(isSweep)(
    "orders in three dimensions below the critical temperature of 1.443 alone",
    { timeout: 120_000 },
    async () => {
      const binder = async (side: number, temperature: number) => {
        const parameters = { temperature };
        const plan = heisenberg.on([side, side, side], parameters);
        const simulation = createHostSimulation(plan, { seed: [5, 0], start: "ordered", parameters });
        const series = (await simulation.run(5000, parameters)).slice(500).map(plan.quantitiesOf);
        return measuresOf(heisenberg, series, { sites: side ** 3, parameters }).binder;
      };
      // Below the critical temperature the larger lattice has the larger cumulant, above it the smaller one.
      for (const [temperature, sign] of [
        [1.25, 1],
        [1.65, -1],
      ]) {
        const [small, large] = [await binder(4, temperature), await binder(8, temperature)];
        const difference = sign * (large.mean - small.mean);
        expect(difference / Math.hypot(small.error!, large.error!)).toBeGreaterThan(3);
      }
    },
  );
});
