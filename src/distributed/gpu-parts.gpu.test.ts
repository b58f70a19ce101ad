import { it } from "vitest";
import { comparePrograms } from "../core/primitives/testing/random-programs.ts";
import { createCpuPrimitives } from "../cpu/primitives/cpu-primitives.ts";
import { createGpuPrimitives } from "../gpu/primitives/gpu-primitives/gpu-primitives.ts";
import { testGpu } from "../gpu/testing/context.ts";
import { isSweep } from "../gpu/testing/sweep.ts";
import { createDistributedPrimitives } from "./distributed-primitives.ts";
import { inProcess } from "./testing/in-process.ts";

/** That of the primitives' tests in the same page. */
const strategy = { subgroups: true, scan: "chained" } as const;

/** So many programs on ranks, of which those compute on a GPU that `onGpu` says. */
async function comparedOnRanks(onGpu: readonly boolean[], runs: number): Promise<void> {
  const gpu = await testGpu();
  const ranks = await Promise.all(
    inProcess(onGpu.length).map(async (communicator, rank) => {
      const local = onGpu[rank] ? await createGpuPrimitives(gpu, { strategy }) : createCpuPrimitives();
      return createDistributedPrimitives(communicator, local);
    }),
  );
  await comparePrograms(createCpuPrimitives(), ranks, { runs });
}

it("does what the CPU does where ranks compute on GPUs", { timeout: 240_000 }, () =>
  comparedOnRanks([true, true], isSweep ? 60 : 8),
);

it("does so where one rank has a GPU and one has none", { timeout: 240_000 }, () =>
  comparedOnRanks([false, true], isSweep ? 60 : 4),
);
