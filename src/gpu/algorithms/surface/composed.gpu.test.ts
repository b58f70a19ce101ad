import { describeIsosurface } from "../../../algorithms/surface/testing/describe-isosurface.ts";
import { createGpuPrimitives } from "../../primitives/gpu-primitives/gpu-primitives.ts";
import { testGpu } from "../../testing/context.ts";

const strategy = { subgroups: true, scan: "reduce-then-scan" } as const;

describeIsosurface("gpu", async () => createGpuPrimitives(await testGpu(), { strategy }), 6);
