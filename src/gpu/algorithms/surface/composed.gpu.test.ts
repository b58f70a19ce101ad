import { describeIsosurface } from "../../../algorithms/surface/testing/describe-isosurface.ts";
import { createGpuPrimitives } from "../../primitives/gpu-primitives/gpu-primitives.ts";
import { testGpu } from "../../testing/context.ts";

/** The one whose pipelines compile fastest; the primitives' own tests hold the others to it. */
const strategy = { subgroups: false, scan: "reduce-then-scan" } as const;

describeIsosurface("gpu", async () => createGpuPrimitives(await testGpu(), { strategy }), 6);
