import fc from "fast-check";
import { expect, it } from "vitest";
import { createCpuPrimitives } from "../../../cpu/primitives/cpu-primitives.ts";
import type { Primitives } from "../primitives.ts";
import { steps } from "./program-steps.ts";
import { comparePrograms, programs } from "./random-programs.ts";

it("makes programs of every step", () => {
  const sample = fc.sample(programs(), { numRuns: 400, seed: 1 });
  const used = new Set(sample.flatMap(({ calls }) => calls.map(({ step }) => step)));
  expect([...used].sort()).toEqual(Object.keys(steps).sort());
});

it("runs programs, and finds nothing where there is nothing", async () => {
  await comparePrograms(createCpuPrimitives(), createCpuPrimitives(), { runs: 200 });
});

/** Leaves more than a thousand elements in their order. */
function forgetful(): Primitives {
  const p = createCpuPrimitives();
  return { ...p, reverse: (vector) => (vector.length > 1000 ? p.copy(vector) : p.reverse(vector)) };
}

it("finds a step that goes wrong, and names it", async () => {
  const found = comparePrograms(createCpuPrimitives(), forgetful(), { runs: 400 });
  await expect(found).rejects.toThrow("step 0 (reverse of ");
});
