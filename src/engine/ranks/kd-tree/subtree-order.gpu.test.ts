import { expect, it } from "vitest";
import { randomNumbers } from "../../../core/kd-tree/testing/points.ts";
import { subtreeOrder } from "../../../cpu/kd-tree/subtree-order.ts";
import { testGpu } from "../../../gpu/testing/context.ts";
import { subtreeOrderOnGpu } from "./subtree-order-on-gpu.ts";

it("is the same on the GPU as on the CPU, whatever the root's axis", async () => {
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
