import { expect, it } from "vitest";
import { pointsOf, randomNumbers } from "../../../core/kd-tree/testing/points.ts";
import { subtreeOrder } from "../../../cpu/kd-tree/subtree-order.ts";
import { createGpuPrimitives } from "../../../gpu/primitives/gpu-primitives/gpu-primitives.ts";
import { testGpu } from "../../../gpu/testing/context.ts";
import { isSweep } from "../../../gpu/testing/sweep.ts";
import { subtreeOrderOnGpu } from "./subtree-order-on-gpu.ts";
import { onTreeRanks } from "./testing/on-tree-ranks.ts";

/** That of the primitives' tests in the same page. */
const strategy = { subgroups: true, scan: "chained" } as const;

// Outside sweeps: the parts alone, by the next test and by those of the primitives, which compile as many shaders.
it.runIf(isSweep)("has the subtrees on GPUs that it has on CPUs", { timeout: 240_000 }, async () => {
  const gpu = await testGpu();
  const points = pointsOf("on a lattice, many equal", 70, 2);
  const onCpus = await onTreeRanks(2, points, 2, async ({ tree }) => tree);
  const onGpus = await onTreeRanks(
    2,
    points,
    2,
    async ({ tree }) => tree,
    undefined,
    async () => ({
      local: await createGpuPrimitives(gpu, { strategy }),
      orderOf: (ranks, rootAxis) => subtreeOrderOnGpu(gpu, ranks, rootAxis),
    }),
  );
  expect(onGpus).toEqual(onCpus);
});

it("orders subtrees on the GPU as on the CPU, whatever the root's axis", async () => {
  const gpu = await testGpu();
  const random = randomNumbers(1);
  for (const size of [1, 7, 1000, 3000]) {
    const ranks = Array.from({ length: 3 }, () => {
      const keys = Array.from({ length: size }, random);
      const order = [...keys.keys()].sort((i, j) => keys[i] - keys[j]);
      const rank = new Uint32Array(size);
      for (const [at, i] of order.entries()) rank[i] = at;
      return rank;
    });
    for (const rootAxis of [0, 2])
      expect(await subtreeOrderOnGpu(gpu, ranks, rootAxis)).toEqual(subtreeOrder(ranks, rootAxis));
  }
});
