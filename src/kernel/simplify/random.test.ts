import fc from "fast-check";
import { expect, it } from "vitest";
import { checkKernel } from "../check.ts";
import { gridKernel } from "../testing/grid-kernel.ts";
import { printKernel } from "../testing/print.ts";
import { randomKernelText } from "../testing/random-text.ts";
import { simplifyKernel } from "./simplify.ts";

/** Kernels of all sizes: numbers of equal shares choose, from a seed. */
const kernelTexts = fc.integer({ min: 0, max: 2 ** 31 - 1 }).map((seed) => {
  let state = seed;
  return randomKernelText(() => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) / 2 ** 24;
  });
});

it("prints random kernels as text that reads as the same kernels", () => {
  fc.assert(
    fc.property(kernelTexts, (text) => {
      const printed = printKernel(gridKernel(text));
      expect(printKernel(gridKernel(printed))).toBe(printed);
    }),
  );
});

it("simplifies random kernels to kernels that cannot be simplified further", () => {
  fc.assert(
    fc.property(kernelTexts, (text) => {
      const simplified = simplifyKernel(gridKernel(text));
      checkKernel(simplified);
      expect(printKernel(simplifyKernel(simplified))).toBe(printKernel(simplified));
    }),
  );
});
