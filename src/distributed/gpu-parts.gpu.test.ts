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

it("does what the CPU does where ranks compute on GPUs", { timeout: 240_000 }, async () => {
  const gpu = await testGpu();
  const ranks = await Promise.all(
    inProcess(2).map(async (communicator) =>
      createDistributedPrimitives(communicator, await createGpuPrimitives(gpu, { strategy })),
    ),
  );
  await comparePrograms(createCpuPrimitives(), ranks, { runs: isSweep ? 60 : 8 });
});
