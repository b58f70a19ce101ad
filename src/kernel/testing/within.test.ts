import { expect, it } from "vitest";
import { interpretKernel } from "../interpret/interpret.ts";
import { randomFrom, randomKernelCall } from "./random-call.ts";
import { randomKernel } from "./random-kernels.ts";
import { checkWithin, newShare } from "./within.ts";

it("holds what the interpreter computes within the bounds that GPUs are held to", () => {
  const share = newShare();
  for (let seed = 0; seed < 40; seed++) {
    const random = randomFrom(seed);
    const program = randomKernel(random, `kernel ${seed}`, { hasDoubles: false });
    const call = randomKernelCall(random, 24);
    interpretKernel(program)(call);
    checkWithin(program, call, share, `seed ${seed}`);
  }
  expect(share.boundedFloats / share.floats).toBeGreaterThan(0.3);
  expect(share.knownIntegers / share.integers).toBeGreaterThan(0.5);
});
