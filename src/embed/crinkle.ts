import { browserWorkers } from "../lang/expression/execute/cpu/browser-workers.ts";
import { hostInterface } from "./host-interface.ts";

export { CrinkleError } from "../core/errors.ts";
export type * from "./api.ts";
export type * from "./hypercube-api.ts";
export type * from "./lattice-api.ts";
export type { Sample, Sampled } from "./sample.ts";

/** Crinkle in a page or a worker, where WebGPU is the browser's. */
export const { createNetwork, derive, hypercube, lattice, prepare, releaseDevice, sample } = hostInterface(
  async () => ({
    gpu: globalThis.navigator?.gpu,
    reason: "",
  }),
  browserWorkers(),
);
