import { expect, it } from "vitest";
import { modelNamed, parametersOf } from "../../core/lattice/models.ts";
import { expectArraysClose } from "../../core/testing/compare.ts";
import { createHostSimulation } from "../../cpu/lattice/simulation.ts";
import { testGpu } from "../testing/context.ts";
import { createGpuSimulation } from "./simulation.ts";

it.each([
  ["ising", [76, 6], false],
  ["ising-heat-bath", [128, 2, 4, 2], true],
  ["ising", [640, 32], true],
  ["potts", [36, 4, 2], false],
])("%s on %j has the same bits on a GPU as on a CPU, deferred: %j", async (name, lengths, isDeferred) => {
  const parameters = { temperature: lengths.length + 0.5, states: 5 };
  const plan = modelNamed(name).on(lengths, parameters);
  const options = { seed: [5, 6], start: "random", parameters } as const;
  const host = createHostSimulation(plan, options);
  const simulation = await createGpuSimulation(await testGpu(), plan, options, { isDeferred });
  try {
    expect(await simulation.run(3, parameters)).toEqual(await host.run(3, parameters));
    for (const drawn of [simulation, host])
      (await drawn.brush())({ position: lengths.map(() => 0.5), radius: 3, value: 1 });
    expect(await simulation.run(2, parameters)).toEqual(await host.run(2, parameters));
    const [found, expected] = [await simulation.read(), await host.read()];
    for (const name of Object.keys(plan.arrays)) expectArraysClose(found[name], expected[name], {}, name);
  } finally {
    simulation.dispose();
  }
});

it("Gray–Scott is on a GPU what it is on a CPU, to rounding", async () => {
  const model = modelNamed("gray-scott");
  const parameters = parametersOf(model, {});
  const plan = model.on([18, 10, 3], parameters);
  const options = { seed: [5, 6], start: "random", parameters } as const;
  const host = createHostSimulation(plan, options);
  const simulation = await createGpuSimulation(await testGpu(), plan, options);
  try {
    const [found, expected] = [await simulation.run(20, parameters), await host.run(20, parameters)];
    for (const [k, { u, v }] of expected.entries()) {
      expect(found[k].u).toBeCloseTo(u, 2);
      expect(found[k].v).toBeCloseTo(v, 2);
    }
    const sites = [await simulation.field("v"), await host.field("v")];
    expectArraysClose(sites[0], sites[1], { absolute: 1e-5 });
  } finally {
    simulation.dispose();
  }
});
