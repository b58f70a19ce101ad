import { hostInterface } from "../embed/host-interface.ts";
import { nodeWorkers } from "./cpu-workers.ts";
import { hasOnlySoftware, openNodeGpu } from "./gpu.ts";

export { CrinkleError } from "../core/errors.ts";
export type * from "../embed/api.ts";
export type * from "../embed/hypercube-api.ts";
export type * from "../embed/lattice-api.ts";
export type { Sample, Sampled } from "../embed/sample.ts";

/** Crinkle in Node, where WebGPU comes from the optional package `webgpu`. */
export const { createNetwork, derive, hypercube, lattice, prepare, releaseDevice, sample } = hostInterface(
  async () => {
    const { gpu, reason } = await openNodeGpu();
    if (!gpu) return { gpu, reason: `WebGPU is not available in this Node: ${reason}.` };
    return { gpu, reason, isSoftware: await hasOnlySoftware(gpu) };
  },
  nodeWorkers(),
);
