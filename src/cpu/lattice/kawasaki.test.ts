import { describe, expect, it } from "vitest";
import { modelNamed, parametersOf } from "../../core/lattice/models.ts";
import { measuresOf } from "../../core/lattice/statistics.ts";
import { canonical } from "../../core/lattice/testing/enumeration.ts";
import {
  bodyCentredGraph,
  cubicGraph,
  energiesOf,
  energyOf,
  plainExchangeSweep,
} from "../../core/lattice/testing/exchange.ts";
import { expectArraysClose } from "../../core/testing/compare.ts";
import { isSweep } from "../../gpu/testing/sweep.ts";
import { createHostSimulation } from "./simulation.ts";

const graphs = { kawasaki: cubicGraph, "kawasaki-bcc": bodyCentredGraph } as const;
const fieldNames = { kawasaki: ["spin"], "kawasaki-bcc": ["corner", "centre"] } as const;

describe("Kawasaki's exchange on the CPU", () => {
  it.each([
    ["kawasaki", [8], 5],
    ["kawasaki", [8, 12], 43],
    ["kawasaki", [4, 4, 8], 50],
    ["kawasaki", [4, 4, 4, 4], 100],
    ["kawasaki-bcc", [6], 5],
    ["kawasaki-bcc", [4, 12], 40],
    ["kawasaki-bcc", [4, 8, 4], 100],
  ] as const)("makes the same sweeps as plain loops: %s on %j, %d up", async (name, lengths, up) => {
    const seed = [7, 0x9abcdef0] as const;
    const graph = graphs[name](lengths);
    const model = modelNamed(name);
    const parameters = parametersOf(
      model,
      {
        temperature: lengths.length + 0.5,
        concentration: up / graph.sites,
      },
      lengths.length,
    );
    const plan = model.on(lengths, parameters);
    const simulation = createHostSimulation(plan, { seed, start: "random", parameters });
    const spins = async () => {
      const fields = await Promise.all(fieldNames[name].map((field) => simulation.field(field)));
      return Int8Array.from(fields.flatMap((values) => [...values]));
    };
    const expected = await spins();
    for (let sweep = 1; sweep <= 2; sweep++) {
      const [sums] = await simulation.run(1, parameters);
      plainExchangeSweep(graph, expected, parameters.temperature, sweep, seed);
      expectArraysClose(await spins(), expected);
      const { energy, magnetization } = plan.quantitiesOf(sums);
      expect(energy).toBeCloseTo(energyOf(graph, expected) / graph.sites, 12);
      expect(magnetization).toBeCloseTo((2 * up) / graph.sites - 1, 12);
    }
  });

  it.each([
    ["kawasaki", [4, 4], 8, [2.5, 1.5, 4]],
    ["kawasaki-bcc", [4, 4], 2, [1.5, 1, 3]],
    ...(isSweep
      ? ([
          ["kawasaki", [8], 3, [1.5]],
          ["kawasaki-bcc", [4], 3, [1.5]],
        ] as const)
      : []),
  ] as const)(
    "agrees with the enumeration of all states: %s on %j, %d up",
    { timeout: 120_000 },
    async (name, lengths, up, temperatures) => {
      const graph = graphs[name](lengths);
      const energies = energiesOf(graph, up);
      const model = modelNamed(name);
      for (const temperature of isSweep ? temperatures : temperatures.slice(0, 1)) {
        const parameters = parametersOf(
          model,
          { temperature, concentration: up / graph.sites },
          lengths.length,
        );
        const plan = model.on(lengths, parameters);
        const simulation = createHostSimulation(plan, { seed: [3, 0], start: "separated", parameters });
        const sums = await simulation.run(isSweep ? 8000 : 1000, parameters);
        const measures = measuresOf(model, sums.slice(100).map(plan.quantitiesOf), {
          sites: plan.length,
          parameters,
        });
        const levels = canonical(
          energies.map((energy) => ({ energy, magnetization: 0, states: 1 })),
          temperature,
        );
        const mean = levels.reduce((sum, { energy, p }) => sum + p * energy, 0);
        const square = levels.reduce((sum, { energy, p }) => sum + p * energy ** 2, 0);
        const heat = (square - mean ** 2) / (graph.sites * temperature ** 2);
        expect(Math.abs(measures.energy.mean - mean / graph.sites) / measures.energy.error!).toBeLessThan(3);
        expect(Math.abs(measures.heatCapacity.mean - heat) / measures.heatCapacity.error!).toBeLessThan(3.5);
      }
    },
  );

  it("begins with exactly as many spins up as were asked for, elsewhere by each seed", async () => {
    const model = modelNamed("kawasaki");
    const parameters = parametersOf(model, { concentration: 0.3 }, 2);
    const plan = model.on([12, 20], parameters);
    const starts = await Promise.all(
      [1, 2, 3].map((word) =>
        createHostSimulation(plan, { seed: [word, 0], start: "random", parameters }).field("spin"),
      ),
    );
    for (const spins of starts) expect(spins.filter((s) => s === 1)).toHaveLength(72);
    expect(starts[0]).not.toEqual(starts[1]);
    // Of 72 of 240 places two starts share 21.6 ± 3.3 on average.
    const shared = starts[0].filter((s, site) => s === 1 && starts[2][site] === 1).length;
    expect(Math.abs(shared - 21.6)).toBeLessThan(13);
  });

  it.each([
    ["kawasaki", [8, 6], "[6,8] has 6 sites along axis 1"],
    ["kawasaki-bcc", [4, 4, 6], "[6,4,4] has 6 sites along axis 2"],
    ["kawasaki-bcc", [2, 2, 2, 2, 2, 2, 2], "has 7 axes"],
  ] as const)("refuses %s on %j", (name, lengths, message) => {
    const model = modelNamed(name);
    expect(() => model.on(lengths, parametersOf(model, {}, lengths.length))).toThrow(message);
  });
});
