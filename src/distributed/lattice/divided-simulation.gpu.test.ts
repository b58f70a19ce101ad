import { expect, it } from "vitest";
import type { ElementRange } from "../../core/lattice/layers.ts";
import type { LatticePlan, Numbers } from "../../core/lattice/model.ts";
import { modelNamed, parametersOf } from "../../core/lattice/models.ts";
import type { LatticePart } from "../../core/lattice/part.ts";
import type { Simulation, SimulationOptions } from "../../core/lattice/simulation.ts";
import { createHostPart } from "../../cpu/lattice/part.ts";
import { createHostSimulation } from "../../cpu/lattice/simulation.ts";
import type { GpuContext } from "../../gpu/device/context.ts";
import { createGpuPart } from "../../gpu/lattice/part.ts";
import { createGpuSimulation } from "../../gpu/lattice/simulation.ts";
import { testGpu } from "../../gpu/testing/context.ts";
import { drawnRun, onDivided } from "../testing/divided.ts";

const seed = [5, 6] as const;

it.each([
  ["ising", [76, 10], true],
  ["ising", [6, 4, 12], false],
  ["potts", [36, 8], false],
  ["kawasaki", [8, 12], false],
  ["prisoners-dilemma", [7, 9], false],
  ["ising-crinkled", [44, 8], false],
])(
  "%s on %j has on ranks with GPUs and CPUs the bits of one CPU, deferred: %j",
  async (name, lengths, isDeferred) => {
    const model = modelNamed(name);
    const parameters = { ...parametersOf(model, {}, lengths.length), temperature: lengths.length + 0.5 };
    const plan = model.on(lengths, parameters);
    const options = { seed, start: "random", parameters };
    const gpu = await testGpu();
    const host = createHostSimulation(plan, options);
    const expected = await drawnRun(plan, host, parameters);
    const [[field]] = Object.entries(plan.fields);
    const shown = await host.field(field);
    const buffersBefore = gpu.pool.use.buffers;
    await onDivided(
      3,
      plan,
      options,
      async (rank, held) =>
        rank === 1 ? createHostPart(plan, held) : createGpuPart(gpu, plan, held, { isDeferred }),
      async (simulation, ranks) => {
        expect(await drawnRun(plan, simulation, parameters)).toEqual(expected);
        expect(await simulation.field(field)).toEqual(shown);
        for (const { cost } of ranks) expect(cost.exchanges).toBeGreaterThan(0);
      },
    );
    expect(gpu.pool.use.buffers).toBe(buffersBefore);
  },
);

/** Calls `test` with a model on a GPU alone, and the words of its arrays after a run. */
async function besideOne(
  name: string,
  lengths: readonly number[],
  given: Numbers,
  test: (one: {
    readonly gpu: GpuContext;
    readonly plan: LatticePlan;
    readonly options: SimulationOptions;
    readonly parameters: Numbers;
    readonly alone: Simulation;
    readonly words: Awaited<ReturnType<typeof drawnRun>>["words"];
  }) => Promise<void>,
): Promise<void> {
  const model = modelNamed(name);
  const parameters = parametersOf(model, given, lengths.length);
  const plan = model.on(lengths, parameters);
  const options = { seed, start: "random", parameters };
  const gpu = await testGpu();
  const alone = await createGpuSimulation(gpu, plan, options);
  try {
    const { words } = await drawnRun(plan, alone, parameters);
    await test({ gpu, plan, options, parameters, alone, words });
  } finally {
    alone.dispose();
  }
}

it.each([
  ["ising", [64, 200], { temperature: 2.3 }],
  ["gray-scott", [4, 200], {}],
])("%s on %j has the bits of one GPU where borders are computed ahead", async (name, lengths, given) => {
  await besideOne(name, lengths, given, async ({ gpu, plan, options, parameters, words }) => {
    let followed = 0;
    const open = async (_: number, held: ElementRange): Promise<LatticePart> => {
      const part = await createGpuPart(gpu, plan, held);
      return {
        ...part,
        async openAhead(around) {
          const ahead = await part.openAhead?.(around);
          if (!ahead) throw new Error("A GPU has nothing ahead.");
          return {
            ...ahead,
            follow() {
              followed++;
              ahead.follow();
            },
          };
        },
      };
    };
    const buffersBefore = gpu.pool.use.buffers;
    await onDivided(2, plan, { ...options, depth: 1 }, open, async (simulation) => {
      expect((await drawnRun(plan, simulation, parameters)).words).toEqual(words);
    });
    expect(followed).toBeGreaterThanOrEqual(4);
    expect(gpu.pool.use.buffers).toBe(buffersBefore);
  });
});

it.each([
  ["gray-scott", [9, 13], {}],
  ["ginzburg-landau", [7, 6, 8], { noise: 0.5, dispersion: 0.5, step: 0.02 }],
  ["lotka-volterra", [6, 13], { species: 3 }],
])("%s on %j has on ranks with a GPU each the bits of one GPU", async (name, lengths, given) => {
  await besideOne(name, lengths, given, async ({ gpu, plan, options, alone, parameters, words }) => {
    const fields = Object.keys(plan.fields);
    const expected = await Promise.all(fields.map((field) => alone.field(field)));
    await onDivided(
      2,
      plan,
      options,
      (_, held) => createGpuPart(gpu, plan, held),
      async (simulation) => {
        expect((await drawnRun(plan, simulation, parameters)).words).toEqual(words);
        for (const [k, field] of fields.entries()) expect(await simulation.field(field)).toEqual(expected[k]);
      },
    );
  });
});
