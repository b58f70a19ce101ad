import { describePrimitives } from "../../../core/primitives/testing/conformance/describe-primitives.ts";
import { createCpuPrimitives } from "../../../cpu/primitives/cpu-primitives.ts";
import { bareGpu, testGpu } from "../../testing/context.ts";
import { isSweep } from "../../testing/sweep.ts";
import { createGpuPrimitives } from "./gpu-primitives.ts";

/** Around threads' and tiles' shares. */
const sizes = [0, 5, 1025, 4097];
const few = [0, 4099];
const reference = createCpuPrimitives();

describePrimitives(
  "gpu, chained, with subgroups",
  async () => createGpuPrimitives(await testGpu(), { strategy: { subgroups: true, scan: "chained" } }),
  sizes,
  { reference, programs: 12 },
);

// Both halves of it are tested by the others: what subgroups do by the first, reduce-then-scan by the last.
if (isSweep) {
  describePrimitives(
    "gpu, reduce-then-scan, with subgroups",
    async () =>
      createGpuPrimitives(await testGpu(), { strategy: { subgroups: true, scan: "reduce-then-scan" } }),
    few,
    { reference, programs: 4 },
  );
}

describePrimitives(
  "gpu without subgroups, of a device without features",
  async () => createGpuPrimitives(await bareGpu()),
  few,
  { reference, programs: isSweep ? 4 : 1 },
  isSweep ? "all" : "programs",
);
