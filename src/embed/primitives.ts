/** What `import … from "crinkle/primitives"` gives: data-parallel primitives on a CPU, or on a device of the program's own. */
export { CrinkleError } from "../core/errors.ts";
export { all, around, own } from "../core/primitives/access.ts";
export { defineKernel } from "../core/primitives/kernel.ts";
export * as operators from "../core/primitives/operators.ts";
export type { Primitives } from "../core/primitives/primitives.ts";
export { defineReduction, defineTally } from "../core/primitives/reduction.ts";
export type { HostArray, ScalarType, Vector } from "../core/primitives/vector.ts";
export type { CpuPrimitives, DevicePrimitives } from "./primitives-api.ts";
export { createCpuPrimitives, createGpuPrimitives } from "./program-primitives.ts";
