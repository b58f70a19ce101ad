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
  ["ising-plain", [32, 6], false],
  ["ising-crinkled", [44, 4], false],
  ["heisenberg", [4, 2, 6], false],
  ["prisoners-dilemma", [7, 5, 3], false],
  ["kawasaki", [8, 4], false],
  ["kawasaki-bcc", [4, 4], false],
])("%s on %j has the same bits on a GPU as on a CPU, deferred: %j", async (name, lengths, isDeferred) => {
  const model = modelNamed(name);
  const parameters = {
    ...parametersOf(model, {}, lengths.length),
    temperature: lengths.length + 0.5,
    states: 5,
  };
  const plan = model.on(lengths, parameters);
  const options = { seed: [5, 6], start: "random", parameters } as const;
  const host = createHostSimulation(plan, options);
  const simulation = await createGpuSimulation(await testGpu(), plan, options, { isDeferred });
  try {
    const sums = [...(await simulation.run(3, parameters))];
    const sumsOfHost = [...(await host.run(3, parameters))];
    if (plan.brush) {
      for (const drawn of [simulation, host])
        (await drawn.brush())({ position: lengths.map(() => 0.5), radius: 3, value: 1 });
    }
    sums.push(...(await simulation.run(2, parameters)));
    sumsOfHost.push(...(await host.run(2, parameters)));
    for (const [k, expected] of sumsOfHost.entries()) {
      for (const [sum, value] of Object.entries(expected)) {
        if (plan.sumType === "f32") expect(sums[k][sum]).toBeCloseTo(value, 3);
        else expect(sums[k][sum]).toBe(value);
      }
    }
    const [found, expected] = [await simulation.read(), await host.read()];
    for (const name of Object.keys(plan.arrays)) expectArraysClose(found[name], expected[name], {}, name);
  } finally {
    simulation.dispose();
  }
});

it.each([
  ["gray-scott", [18, 10, 3], {}],
  ["cahn-hilliard", [20, 14], { noise: 0.5 }],
  ["ginzburg-landau", [10, 6, 4], { noise: 0.5, dispersion: 0.5, shift: -0.5, step: 0.02 }],
  ["lotka-volterra", [14, 10], { species: 3 }],
])("%s on %j is on a GPU what it is on a CPU, to rounding", async (name, lengths, given) => {
  const model = modelNamed(name);
  const parameters = parametersOf(model, given, lengths.length);
  const plan = model.on(lengths, parameters);
  const options = { seed: [5, 6], start: "random", parameters } as const;
  const host = createHostSimulation(plan, options);
  const simulation = await createGpuSimulation(await testGpu(), plan, options);
  try {
    const { max: value = Number.NaN } = plan.brush ?? {};
    for (const drawn of [simulation, host])
      (await drawn.brush())({ position: lengths.map(() => 1.5), radius: 2, value });
    const [found, expected] = [await simulation.run(20, parameters), await host.run(20, parameters)];
    for (const [k, sums] of expected.entries()) {
      for (const sum of plan.sums.writes) expect(found[k][sum]).toBeCloseTo(sums[sum], 2);
    }
    // Phases of small numbers are as uncertain as these.
    for (const field of Object.keys(plan.fields).filter((field) => field !== "phase")) {
      expectArraysClose(await simulation.field(field), await host.field(field), { absolute: 1e-5 }, field);
    }
  } finally {
    simulation.dispose();
  }
});
