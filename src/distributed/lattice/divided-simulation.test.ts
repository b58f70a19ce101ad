import { describe, expect, it } from "vitest";
import { divideLayers } from "../../core/lattice/layers.ts";
import type { Numbers } from "../../core/lattice/model.ts";
import { latticeModels, modelNamed, parametersOf } from "../../core/lattice/models.ts";
import type { Simulation } from "../../core/lattice/simulation.ts";
import { createHostPart } from "../../cpu/lattice/part.ts";
import { createHostSimulation } from "../../cpu/lattice/simulation.ts";
import { inProcess } from "../testing/in-process.ts";
import { DividedSimulation } from "./divided-simulation.ts";
import { follow, lead } from "./shared-simulation.ts";

const seed = [11, 12] as const;

/** What rank 0 of so many does with a simulation that they share. */
async function onRanks<R>(
  size: number,
  name: string,
  lengths: readonly number[],
  given: Numbers,
  start: string,
  work: (simulation: Simulation, shared: readonly DividedSimulation[]) => Promise<R>,
): Promise<R> {
  const parameters = parametersOf(modelNamed(name), given);
  const plan = modelNamed(name).on(lengths, parameters);
  const ranks = inProcess(size);
  const shared = await Promise.all(
    ranks.map((communicator) =>
      DividedSimulation.open(communicator, plan, { seed, start, parameters }, async (held) =>
        createHostPart(plan, held),
      ),
    ),
  );
  const others = ranks.slice(1).map((communicator, k) => follow(communicator, shared[k + 1]));
  const led = lead(ranks[0], plan, shared[0]);
  const result = await work(led, shared);
  await led.end();
  await Promise.all(others);
  return result;
}

/** Two batches, with a stroke between them where the model has a brush. */
const drawnRun = (lengths: readonly number[], parameters: Numbers, hasBrush: boolean) => {
  return async (simulation: Simulation) => {
    const sums = [...(await simulation.run(2, parameters))];
    if (hasBrush) (await simulation.brush())({ position: lengths.map(() => 0.5), radius: 2.2, value: 0.5 });
    sums.push(...(await simulation.run(3, parameters)));
    return { sums, arrays: await simulation.read(), simulation };
  };
};

const cases: readonly (readonly [name: string, lengths: readonly number[], given: Numbers])[] = [
  ["ising", [70, 10], { temperature: 2.3 }],
  ["ising-heat-bath", [64, 12], { temperature: 2.3 }],
  ["ising-plain", [16, 14], { temperature: 2.3 }],
  ["ising-crinkled", [12, 10], { temperature: 2.3 }],
  ["potts", [12, 12], { states: 5, temperature: 0.8 }],
  ["gray-scott", [9, 13], {}],
  ["cahn-hilliard", [5, 4, 17], { noise: 0.5 }],
  ["ginzburg-landau", [7, 16], { noise: 0.5, dispersion: 0.5, step: 0.02 }],
  ["lotka-volterra", [6, 13], { species: 3 }],
  ["lotka-volterra", [19], {}],
  ["kawasaki", [4, 20], { temperature: 2 }],
  ["kawasaki-bcc", [4, 12], { temperature: 2 }],
  ["heisenberg", [4, 2, 14], { temperature: 1 }],
  ["prisoners-dilemma", [6, 15], {}],
  ["prisoners-dilemma", [5, 11], { diagonals: 0 }],
];

describe("a lattice divided among ranks", () => {
  it("is of every model that has passes", () => {
    const divided = latticeModels.filter((model) => {
      const lengths = [16, 16];
      return !model.on(lengths, parametersOf(model, {})).clusters;
    });
    expect(divided.map(({ name }) => name).toSorted()).toEqual(
      [...new Set(cases.map(([name]) => name))].toSorted(),
    );
  });

  it.each(cases)("has the bits of one rank: %s on %j", async (name, lengths, given) => {
    const model = modelNamed(name);
    const parameters = parametersOf(model, given);
    const plan = model.on(lengths, parameters);
    const start = "random" in plan.starts ? "random" : model.start;
    const run = drawnRun(lengths, parameters, plan.brush !== undefined && !plan.brush.isWhole);
    const alone = createHostSimulation(plan, { seed, start, parameters });
    const expected = await run(alone);
    const fields = Object.keys(plan.fields);
    const expectedFields = await Promise.all(fields.map((field) => alone.field(field)));
    for (const size of [1, 2, 3, 4]) {
      await onRanks(size, name, lengths, given, start, async (simulation, shared) => {
        expect(shared[0].division.ranks.length).toBe(size);
        const { sums, arrays } = await run(simulation);
        for (const array of Object.keys(plan.arrays)) {
          const bits = (words: typeof arrays) => new Uint32Array(words[array].buffer);
          expect(bits(arrays), `${array} on ${size} ranks`).toEqual(bits(expected.arrays));
        }
        for (const [k, field] of fields.entries())
          expect(await simulation.field(field), field).toEqual(expectedFields[k]);
        for (const [k, sum] of sums.entries()) {
          for (const sumName of plan.sums.writes) {
            if (plan.sumType === "u32") expect(sum[sumName]).toBe(expected.sums[k][sumName]);
            else expect(sum[sumName]).toBeCloseTo(expected.sums[k][sumName], 4);
          }
        }
      });
    }
  });

  it("is the same however many layers are exchanged at a time", async () => {
    const lengths = [4, 96];
    const parameters = parametersOf(modelNamed("ising"), { temperature: 2.3 });
    const runs = await Promise.all(
      [0, 1e9, 1e-9].map((msPerSweep) => {
        const ranks = inProcess(3);
        const plan = modelNamed("ising").on(lengths, parameters);
        return Promise.all(
          ranks.map(async (communicator) => {
            const simulation = await DividedSimulation.open(
              communicator,
              plan,
              { seed, start: "random", parameters },
              async (held) => createHostPart(plan, held),
            );
            const sums = await simulation.run(20, parameters, msPerSweep);
            return { sums, read: await simulation.read(), exchanges: simulation.cost.exchanges };
          }),
        );
      }),
    );
    const [[usual], [often], [seldom]] = runs;
    for (const { sums, read } of [often, seldom])
      expect({ sums, read }).toEqual({ sums: usual.sums, read: usual.read });
    // Layers that are needed at most, 3, 1 and all 4 that are held, leave 60 steps in stretches of 4 or 5, 1 or 2, and 6.
    expect(runs.map(([{ exchanges }]) => exchanges)).toEqual([13, 40, 10]);
  });

  it("is divided among as many ranks as can have layers", async () => {
    const plan = modelNamed("ising").on([8, 6], {});
    expect(divideLayers(plan, 8).ranks.length).toBe(6);
    expect(divideLayers(modelNamed("kawasaki").on([4, 4], { concentration: 0.5 }), 4).ranks.length).toBe(1);
    expect(divideLayers(modelNamed("ising").on([4, 2], {}), 2).ranks.length).toBe(1);
    expect(divideLayers(modelNamed("ising").on([200], {}), 3).ranks.length).toBe(1);
    const found = await onRanks(8, "ising", [8, 6], {}, "random", async (simulation) => ({
      sums: await simulation.run(3, parametersOf(modelNamed("ising"), {})),
      spins: await simulation.field("spin"),
    }));
    const parameters = parametersOf(modelNamed("ising"), {});
    const alone = createHostSimulation(plan, { seed, start: "random", parameters });
    expect(found.sums).toEqual(await alone.run(3, parameters));
    expect(found.spins).toEqual(await alone.field("spin"));
  });
});
