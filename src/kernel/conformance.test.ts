import { expect, it } from "vitest";
import { checkKernel } from "./check.ts";
import { compileKernel } from "./compile-js.ts";
import { interpretKernel } from "./interpret/interpret.ts";
import type { KernelCall } from "./layout.ts";
import { simplifyKernel } from "./simplify/simplify.ts";
import { gridKernel } from "./testing/grid-kernel.ts";
import { printKernel } from "./testing/print.ts";
import { gridCall, randomFrom, randomKernelCall } from "./testing/random-call.ts";
import { randomKernel } from "./testing/random-kernels.ts";
import { randomKernelText } from "./testing/random-text.ts";

const kernels = process.env.CRINKLE_SWEEP ? 5000 : 120;

/** The same call, for other outputs. */
const again = (call: KernelCall): KernelCall => ({
  ...call,
  outputs: Object.fromEntries(
    Object.entries(call.outputs).map(([name, words]) => [name, words.slice().fill(0)]),
  ),
});

it("gives the same to the bit interpreted and as generated JavaScript, also simplified", () => {
  const distinct = new Set<number>();
  for (let seed = 0; seed < kernels; seed++) {
    const random = randomFrom(seed);
    const program = randomKernel(random, `kernel ${seed}`, { hasDoubles: seed % 2 === 0 });
    checkKernel(program);
    const call = randomKernelCall(random, 24);
    interpretKernel(program)(call);
    const variants = { generated: program, simplified: simplifyKernel(program) };
    for (const [name, variant] of Object.entries(variants)) {
      const other = again(call);
      compileKernel(variant, { generates: true })(other);
      expect(other.outputs, `${name}, seed ${seed}\n${printKernel(variant)}`).toEqual(call.outputs);
    }
    for (const words of Object.values(call.outputs)) for (const word of words) distinct.add(word);
  }
  // Kernels whose results are mostly zeros would prove nothing.
  expect(distinct.size).toBeGreaterThan(kernels);
}, 120_000);

it("gives the same on kernels over grids, read from text", () => {
  for (let seed = 0; seed < kernels / 2; seed++) {
    const random = randomFrom(seed);
    const text = randomKernelText(random);
    const program = gridKernel(text);
    const call = gridCall(random, [5, 4, 3]);
    interpretKernel(program)(call);
    for (const variant of [program, simplifyKernel(program)]) {
      const other = again(call);
      compileKernel(variant, { generates: true })(other);
      expect(other.outputs, `seed ${seed}\n${text}`).toEqual(call.outputs);
    }
  }
}, 120_000);
