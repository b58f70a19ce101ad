import { describe, expect, it } from "vitest";
import { CrinkleError } from "../../core/errors.ts";
import { divideLayers, type ElementRange } from "../../core/lattice/layers.ts";
import type { LatticePlan, Numbers } from "../../core/lattice/model.ts";
import { latticeModels, modelNamed, parametersOf } from "../../core/lattice/models.ts";
import type { LatticePart } from "../../core/lattice/part.ts";
import { createHostPart, type HostPart } from "../../cpu/lattice/part.ts";
import { createHostSimulation } from "../../cpu/lattice/simulation.ts";
import { randomFrom } from "../../kernel/testing/random-call.ts";
import { drawnRun, onDivided } from "../testing/divided.ts";
import { inProcess } from "../testing/in-process.ts";
import { DividedSimulation } from "./divided-simulation.ts";

/** A part of the CPU whose borders are computed ahead, though nothing is gained there. */
const computedAhead = (plan: LatticePlan, part: HostPart, followed: () => void): LatticePart => ({
  ...part,
  async openAhead(held) {
    const ahead = createHostPart(plan, held);
    const offset = (held.first - part.held.first + plan.length) % plan.length;
    return {
      ...ahead,
      follow() {
        followed();
        for (const [name, own] of Object.entries(ahead.arrays))
          own.set(part.arrays[name].subarray(offset, offset + held.count));
      },
    };
  },
});

const hostPart = (plan: LatticePlan) => async (_: number, held: ElementRange) => createHostPart(plan, held);

const seed = [11, 12] as const;

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
      return !model.on(lengths, parametersOf(model, {}, lengths.length)).clusters;
    });
    expect(divided.map(({ name }) => name).toSorted()).toEqual(
      [...new Set(cases.map(([name]) => name))].toSorted(),
    );
  });

  it.each(cases)("has the bits of one rank: %s on %j", async (name, lengths, given) => {
    const model = modelNamed(name);
    const parameters = parametersOf(model, given, lengths.length);
    const plan = model.on(lengths, parameters);
    const options = { seed, start: "random", parameters };
    const alone = createHostSimulation(plan, options);
    const expected = await drawnRun(plan, alone, parameters);
    const fields = Object.keys(plan.fields);
    const expectedFields = await Promise.all(fields.map((field) => alone.field(field)));
    for (const size of [1, 2, 3, 4]) {
      await onDivided(size, plan, options, hostPart(plan), async (simulation, ranks) => {
        const { sums, words } = await drawnRun(plan, simulation, parameters);
        expect(words, `${size} ranks`).toEqual(expected.words);
        for (const [k, field] of fields.entries())
          expect(await simulation.field(field), field).toEqual(expectedFields[k]);
        for (const [k, sum] of sums.entries()) {
          for (const sumName of plan.sums.writes) {
            if (plan.sumType === "u32") expect(sum[sumName]).toBe(expected.sums[k][sumName]);
            else expect(sum[sumName]).toBeCloseTo(expected.sums[k][sumName], 4);
          }
        }
        expect(ranks.map(({ cost }) => cost.exchanges > 0)).toEqual(ranks.map(() => size > 1));
      });
    }
  });

  it("is the same however many layers are exchanged at a time", async () => {
    const parameters = parametersOf(modelNamed("ising"), { temperature: 2.3 }, 2);
    const plan = modelNamed("ising").on([4, 300], parameters);
    const options = { seed, start: "random", parameters };
    const runs = [];
    for (const depth of [3, 1, 32]) {
      const ofRanks = await Promise.all(
        inProcess(3).map(async (communicator) => {
          const simulation = await DividedSimulation.open(
            communicator,
            plan,
            { ...options, depth },
            async (held) => createHostPart(plan, held),
          );
          const sums = await simulation.run(40, parameters);
          return { sums, words: await simulation.read(), exchanges: simulation.cost.exchanges };
        }),
      );
      runs.push(ofRanks[0]);
    }
    const [{ sums, words }] = runs;
    for (const run of runs) expect({ sums: run.sums, words: run.words }).toEqual({ sums, words });
    // With 32 layers of others at the beginning. A sweep takes two of them, and its sums one more: of 120 steps 3 layers last for 4 or 5, 1
    // for 1 or 2, and 32 for 47 or 48. Then layers for the next run are exchanged, of those that are needed at first.
    expect(runs.map(({ exchanges }) => exchanges)).toEqual([27, 80, 3]);
  });

  it.each([
    ["ising", [4, 600], { temperature: 2.3 }],
    ["gray-scott", [3, 400], {}],
    ["prisoners-dilemma", [3, 600], {}],
  ])("is the same where borders are computed ahead: %s on %j", async (name, lengths, given) => {
    const model = modelNamed(name);
    const parameters = parametersOf(model, given, lengths.length);
    const plan = model.on(lengths, parameters);
    const options = { seed, start: "random", parameters };
    const expected = await drawnRun(plan, createHostSimulation(plan, options), parameters);
    for (const ahead of [[0, 1, 2], [1]]) {
      let followed = 0;
      const open = async (rank: number, held: ElementRange) => {
        const part = createHostPart(plan, held);
        return ahead.includes(rank) ? computedAhead(plan, part, () => followed++) : part;
      };
      await onDivided(3, plan, { ...options, depth: 1 }, open, async (simulation) => {
        expect(await drawnRun(plan, simulation, parameters)).toEqual(expected);
      });
      expect(followed).toBeGreaterThanOrEqual(2 * ahead.length);
    }
  });

  it("has the bits of one rank on lattices, ranks and depths at random", async () => {
    const random = randomFrom(3);
    const upTo = (most: number) => 1 + Math.floor(most * random());
    let exchanges = 0;
    for (let turn = 0; turn < 12; turn++) {
      const lengths = [...Array.from({ length: upTo(3) - 1 }, () => upTo(4)), upTo(40)];
      const model = modelNamed("prisoners-dilemma");
      const parameters = parametersOf(model, { diagonals: turn % 2 }, lengths.length);
      const plan = model.on(lengths, parameters);
      const options = { seed, start: "random", parameters, depth: upTo(12) };
      const [size, sweeps] = [upTo(6), upTo(5)];
      const alone = createHostSimulation(plan, options);
      await onDivided(size, plan, options, hostPart(plan), async (simulation, ranks) => {
        const what = JSON.stringify({ turn, lengths, size, depth: options.depth, sweeps });
        for (let run = 0; run < 2; run++) {
          expect(await simulation.run(sweeps, parameters), what).toEqual(await alone.run(sweeps, parameters));
        }
        expect(await simulation.read(), what).toEqual(await alone.read());
        exchanges += ranks[0].cost.exchanges;
      });
    }
    expect(exchanges).toBeGreaterThan(20);
  });

  it("exchanges without being ahead where a rank has no memory for it", async () => {
    const parameters = parametersOf(modelNamed("ising"), { temperature: 2.3 }, 2);
    const plan = modelNamed("ising").on([4, 300], parameters);
    const options = { seed, start: "random", parameters };
    const expected = await drawnRun(plan, createHostSimulation(plan, options), parameters);
    let refused = 0;
    const open = async (_: number, held: ElementRange): Promise<LatticePart> => ({
      ...createHostPart(plan, held),
      async openAhead() {
        refused++;
        throw new CrinkleError({ tag: "OutOfMemory", problem: "It is full.", remedy: "Hold less." });
      },
    });
    await onDivided(2, plan, options, open, async (simulation) => {
      expect(await drawnRun(plan, simulation, parameters)).toEqual(expected);
    });
    expect(refused).toBe(4);
  });

  it("is divided among as many ranks as can have layers", async () => {
    const ranksOf = (name: string, lengths: readonly number[], size: number) =>
      divideLayers(modelNamed(name).on(lengths, parametersOf(modelNamed(name), {}, lengths.length)), size)
        .ranks.length;
    expect(ranksOf("ising", [8, 6], 8)).toBe(6);
    expect(ranksOf("kawasaki", [4, 4], 4)).toBe(1);
    expect(ranksOf("ising", [4, 2], 2)).toBe(1);
    expect(ranksOf("ising", [200], 3)).toBe(1);
    const parameters = parametersOf(modelNamed("ising"), {}, 2);
    const plan = modelNamed("ising").on([8, 6], parameters);
    const options = { seed, start: "random", parameters };
    const alone = createHostSimulation(plan, options);
    await onDivided(8, plan, options, hostPart(plan), async (simulation) => {
      expect(await simulation.run(3, parameters)).toEqual(await alone.run(3, parameters));
      expect(await simulation.field("spin")).toEqual(await alone.field("spin"));
    });
  });
});
