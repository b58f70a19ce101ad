import { expect, it } from "vitest";
import { isingSwendsenWang } from "../../core/lattice/swendsen-wang/swendsen-wang.ts";
import { createCpuPrimitives } from "../../cpu/primitives/cpu-primitives.ts";
import { createGpuPrimitives } from "../../gpu/primitives/gpu-primitives/gpu-primitives.ts";
import { testGpu } from "../../gpu/testing/context.ts";
import { createClusterSimulation } from "./cluster-simulation.ts";

it("clusters are on a GPU what they are on a CPU", async () => {
  const parameters = { temperature: 2.3 };
  const plan = isingSwendsenWang.on([9, 7], parameters);
  const gpu = await createGpuPrimitives(await testGpu());
  try {
    const [found, expected] = await Promise.all(
      [gpu, createCpuPrimitives()].map(async (primitives) => {
        const options = { seed: [3, 4], start: "random", parameters } as const;
        const simulation = await createClusterSimulation(primitives, plan, plan.clusters!, options);
        const sums = await simulation.run(2, parameters);
        const spins = await simulation.field("spin");
        simulation.dispose();
        return { sums, spins };
      }),
    );
    expect(found).toEqual(expected);
  } finally {
    gpu.dispose();
  }
});
