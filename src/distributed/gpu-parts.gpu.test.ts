import { it } from "vitest";
import { comparePrograms } from "../core/primitives/testing/random-programs.ts";
import { createCpuPrimitives } from "../cpu/primitives/cpu-primitives.ts";
import { createGpuPrimitives } from "../gpu/primitives/gpu-primitives/gpu-primitives.ts";
import { testGpu } from "../gpu/testing/context.ts";
import { isSweep } from "../gpu/testing/sweep.ts";
import { createDistributedPrimitives } from "./distributed-primitives.ts";
import { inProcess } from "./testing/in-process.ts";

it("does what the CPU does where ranks compute on GPUs", { timeout: 240_000 }, async () => {
  const gpu = await testGpu();
  const ranks = await Promise.all(
    inProcess(2).map(async (communicator) =>
      createDistributedPrimitives(communicator, await createGpuPrimitives(gpu)),
    ),
  );
  await comparePrograms(createCpuPrimitives(), ranks, { runs: isSweep ? 60 : 8 });
});
