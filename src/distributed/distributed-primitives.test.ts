import { describePrimitives } from "../core/primitives/testing/conformance/describe-primitives.ts";
import { createCpuPrimitives } from "../cpu/primitives/cpu-primitives.ts";
import { createDistributedPrimitives } from "./distributed-primitives.ts";
import { inProcess } from "./testing/in-process.ts";

const isSweep = process.env.CRINKLE_SWEEP === "1";

/** Parts that are empty, of one element, and around the blocks of the CPU's scans. */
const sizes = isSweep ? [0, 1, 2, 5, 16, 17, 31, 255, 256, 257, 1337, 4097] : [0, 1, 2, 5, 17, 256, 1337];

for (const size of isSweep ? [1, 2, 3, 4, 7, 8] : [3, 4]) {
  describePrimitives(
    `distributed over ${size} ranks`,
    async () =>
      inProcess(size).map((communicator) => createDistributedPrimitives(communicator, createCpuPrimitives())),
    sizes,
    { reference: createCpuPrimitives(), programs: isSweep ? 300 : 60 },
  );
}
