import { describe, expect, it } from "vitest";
import { ising, isingHeatBath } from "../../core/lattice/ising/ising.ts";
import { kawasakiBodyCentred } from "../../core/lattice/kawasaki/body-centred.ts";
import { lotkaVolterra } from "../../core/lattice/lotka-volterra/lotka-volterra.ts";
import { latticeModels, parametersOf } from "../../core/lattice/models.ts";
import { potts } from "../../core/lattice/potts/potts.ts";
import { neighborSum, plainSweep, randomStart } from "../../core/lattice/testing/ising.ts";
import { plainPottsSweep, randomStates, sameStates } from "../../core/lattice/testing/potts.ts";
import { expectArraysClose } from "../../core/testing/compare.ts";
import { zeros } from "./kernels.ts";
import { createHostSimulation } from "./simulation.ts";

describe("Ising on the CPU", () => {
  it.each([
    ["metropolis", [4], 3],
    ["metropolis", [2, 2], 2],
    ["metropolis", [12, 6], 2],
    ["metropolis", [66, 4], 2],
    ["metropolis", [64, 4], 2],
    ["metropolis", [130, 2, 4], 1],
    ["metropolis", [4, 2, 6, 2], 2],
    ["metropolis", [2, 4, 2, 2, 4], 1],
    ["metropolis", [6, 2, 2, 2, 2, 2], 1],
    ["heat bath", [68, 4], 2],
    ["heat bath", [4, 2, 4], 2],
  ] as const)("makes the same sweeps by %s as plain loops on %j", async (rule, lengths, sweeps) => {
    const seed = [7, 0x9abcdef0] as const;
    const temperature = lengths.length + 0.5;
    const parameters = { temperature };
    const plan = (rule === "heat bath" ? isingHeatBath : ising).on(lengths, parameters);
    const simulation = createHostSimulation(plan, { seed, start: "random", parameters });
    const expected = randomStart(lengths, seed);
    expectArraysClose(await simulation.field("spin"), expected);
    for (let sweep = 1; sweep <= sweeps; sweep++) {
      const [sums] = await simulation.run(1, parameters);
      plainSweep(rule, lengths, expected, temperature, sweep, seed);
      expectArraysClose(await simulation.field("spin"), expected);
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

describe("Potts on the CPU", () => {
  it.each([
    [[12, 4], 3],
    [[20, 4], 5],
    [[34, 2, 2], 2],
    [[4], 12],
  ])("makes the same sweeps as plain loops on %j of %d states", async (lengths, states) => {
    const seed = [3, 4] as const;
    const parameters = { states, temperature: 0.8 };
    const plan = potts.on(lengths, parameters);
    const simulation = createHostSimulation(plan, { seed, start: "random", parameters });
    const expected = randomStates(lengths, states, seed);
    expectArraysClose(await simulation.field("state"), expected);
    for (let sweep = 1; sweep <= 2; sweep++) {
      const [sums] = await simulation.run(1, parameters);
      plainPottsSweep(lengths, expected, parameters, sweep, seed);
      expectArraysClose(await simulation.field("state"), expected);
      const bonds = expected.reduce(
        (sum, state, site) => sum + sameStates(lengths, expected, site, state) / 2,
        0,
      );
      const largest = Math.max(
        ...Array.from({ length: states }, (_, k) => expected.filter((s) => s === k).length),
      );
      const { energy, magnetization } = plan.quantitiesOf(sums);
      expect(energy).toBeCloseTo(-bonds / expected.length, 12);
      expect(magnetization).toBeCloseTo(((states * largest) / expected.length - 1) / (states - 1), 12);
    }
  });
});

describe("lattices that are too large", () => {
  it("are refused by every model", () => {
    for (const model of latticeModels) {
      const parameters = parametersOf(model, {}, 2);
      expect(() => model.on([65_536, 65_536], parameters)).toThrow(
        /\[65536,65536(,2)?\] has more than 2³² − 1 elements. Make it smaller/,
      );
    }
    const cells = parametersOf(kawasakiBodyCentred, {}, 2);
    expect(() => kawasakiBodyCentred.on([65_536, 65_532], cells)).toThrow("has more than 2³² − 1 elements");
    const species = parametersOf(lotkaVolterra, { species: 4 }, 2);
    expect(() => lotkaVolterra.on([32_768, 32_768], species)).toThrow("has more than 2³² − 1 elements");
  });

  it("are refused where memory ends", () => {
    expect(() => zeros("f32", 2 ** 53)).toThrow(
      "of memory, more than is available. Give the lattice smaller lengths.",
    );
  });
});
