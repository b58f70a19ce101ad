import { describe, expect, it } from "vitest";
import { countOf } from "../../core/hypercube/shape.ts";
import { parametersOf } from "../../core/lattice/models.ts";
import { isingSwendsenWang, pottsSwendsenWang } from "../../core/lattice/swendsen-wang/swendsen-wang.ts";
import { plainClusterSweep, plainLabels, randomClusterStates } from "../../core/lattice/testing/clusters.ts";
import { neighborSum } from "../../core/lattice/testing/ising.ts";
import { sameStates } from "../../core/lattice/testing/potts.ts";
import type { Primitives } from "../../core/primitives/primitives.ts";
import { expectArraysClose } from "../../core/testing/compare.ts";
import { createCpuPrimitives } from "../../cpu/primitives/cpu-primitives.ts";
import { createDistributedPrimitives } from "../../distributed/distributed-primitives.ts";
import { inProcess } from "../../distributed/testing/in-process.ts";
import { createClusterSimulation } from "./cluster-simulation.ts";
import { clusterLabels } from "./labels.ts";

const seed = [7, 8] as const;

const simulationOf = (
  p: Primitives,
  model: typeof isingSwendsenWang,
  lengths: readonly number[],
  parameters: Readonly<Record<string, number>>,
) => {
  const plan = model.on(lengths, parameters);
  return createClusterSimulation(p, plan, plan.clusters!, { seed, start: "random", parameters });
};

describe("clusters", () => {
  it.each([
    [[40], 0.9],
    [[17, 13], 0.5],
    [[17, 13], 0.65],
    [[5, 6, 7], 0.3],
    [[2, 1, 3, 4, 5], 0.3],
  ])("have the labels of a search on %j, bonds with p = %d", async (lengths, p) => {
    let state = 1;
    const random = () => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return state / 2 ** 32;
    };
    const bonds = Uint32Array.from({ length: countOf(lengths) }, () =>
      lengths.reduce((bits, _, axis) => (random() < p ? bits | (1 << axis) : bits), 0),
    );
    const primitives = createCpuPrimitives();
    const labels = await clusterLabels(lengths)(primitives, primitives.fromHost("u32", bonds));
    expectArraysClose(await primitives.toHost(labels), plainLabels(lengths, bonds));
  });

  it.each([[[13]], [[1]], [[9, 7]], [[1, 11]], [[4, 5, 3]], [[5, 1, 7]], [[2, 3, 1, 5]], [[3, 2, 2, 3, 2]]])(
    "of the Ising model are turned as in plain loops on %j",
    async (lengths) => {
      const parameters = { temperature: lengths.length + 0.3 };
      const simulation = await simulationOf(createCpuPrimitives(), isingSwendsenWang, lengths, parameters);
      let expected = randomClusterStates(countOf(lengths), 2, seed);
      const p = 1 - Math.exp(-2 / parameters.temperature);
      for (let sweep = 1; sweep <= 3; sweep++) {
        const [sums] = await simulation.run(1, parameters);
        expected = plainClusterSweep(lengths, expected, { q: 2, p }, sweep, seed);
        const spins = expected.map((state) => 2 * state - 1);
        expectArraysClose(await simulation.field("spin"), spins);
        const energy = spins.reduce((sum, s, site) => sum - (s * neighborSum(lengths, spins, site)) / 2, 0);
        const found = isingSwendsenWang.on(lengths, parameters).quantitiesOf(sums);
        expect(found.energy).toBeCloseTo(energy / spins.length, 12);
        expect(found.magnetization).toBeCloseTo(spins.reduce((sum, s) => sum + s, 0) / spins.length, 12);
      }
      simulation.dispose();
    },
  );

  it.each([[[7, 5]], [[11]], [[1, 3, 5]]])(
    "of the Potts model are drawn as in plain loops on %j, over ranks too",
    async (lengths) => {
      const parameters = parametersOf(pottsSwendsenWang, { states: 4, temperature: 0.9 }, lengths.length);
      const p = 1 - Math.exp(-1 / parameters.temperature);
      let expected = randomClusterStates(countOf(lengths), 4, seed);
      for (let sweep = 1; sweep <= 3; sweep++) {
        expected = plainClusterSweep(lengths, expected, { q: 4, p }, sweep, seed);
      }
      const agreeing = expected.reduce((sum, s, site) => sum + sameStates(lengths, expected, site, s) / 2, 0);
      const all = [
        createCpuPrimitives(),
        ...inProcess(3).map((communicator) =>
          createDistributedPrimitives(communicator, createCpuPrimitives()),
        ),
      ];
      const runs = all.map(async (primitives) => {
        const simulation = await simulationOf(primitives, pottsSwendsenWang, lengths, parameters);
        const sums = await simulation.run(3, parameters);
        return { sums: sums[2], field: await simulation.field("state") };
      });
      for (const { sums, field } of await Promise.all(runs)) {
        expectArraysClose(field, expected);
        expect(sums.agreeing).toBe(agreeing);
        expect(sums.count_2).toBe(expected.filter((s) => s === 2).length);
      }
    },
  );
});
