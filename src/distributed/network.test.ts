import { expect, it } from "vitest";
import { runWorkingRanks } from "../cluster/communicator/testing/run-ranks.ts";
import { comparePrograms } from "../core/primitives/testing/random-programs.ts";
import { createCpuPrimitives } from "../cpu/primitives/cpu-primitives.ts";
import { createDistributedPrimitives } from "./distributed-primitives.ts";

it("runs programs over a network", async () => {
  const outcomes = await runWorkingRanks(3, { seed: 1 }, (world) =>
    comparePrograms(createCpuPrimitives(), createDistributedPrimitives(world, createCpuPrimitives()), {
      runs: 12,
    }),
  );
  expect(outcomes).toEqual(outcomes.map(() => ({ value: undefined })));
});
