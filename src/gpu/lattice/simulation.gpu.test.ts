import { expect, it } from "vitest";
import { modelNamed } from "../../core/lattice/models.ts";
import { expectArraysClose } from "../../core/testing/compare.ts";
import { createHostSimulation } from "../../cpu/lattice/simulation.ts";
import { testGpu } from "../testing/context.ts";
import { createGpuSimulation } from "./simulation.ts";

it.each([
  ["ising", [76, 6], false],
  ["ising-heat-bath", [128, 2, 4, 2], false],
  ["ising", [640, 32], true],
  ["potts", [36, 4, 2], false],
])("%s on %j has the same bits on a GPU as on a CPU, deferred: %j", async (name, lengths, isDeferred) => {
  const parameters = { temperature: lengths.length + 0.5, states: 5 };
  const plan = modelNamed(name).on(lengths, parameters);
  const options = { seed: [5, 6], start: "random", parameters } as const;
  const host = createHostSimulation(plan, options);
  const simulation = await createGpuSimulation(await testGpu(), plan, options, { isDeferred });
  try {
    expect(await simulation.run(5, parameters)).toEqual(await host.run(5, parameters));
    const [found, expected] = [await simulation.read(), await host.read()];
    for (const name of plan.arrays) expectArraysClose(found[name], expected[name], {}, name);
  } finally {
    simulation.dispose();
  }
});
