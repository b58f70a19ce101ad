import { expect, it } from "vitest";
import { testGpu } from "../gpu/testing/context.ts";
import { isSweep } from "../gpu/testing/sweep.ts";
import { callOfPart, randomCuts } from "./testing/cut.ts";
import { gridKernel } from "./testing/grid-kernel.ts";
import { gridCall, randomFrom, randomKernelCall } from "./testing/random-call.ts";
import { randomKernel } from "./testing/random-kernels.ts";
import { randomKernelText } from "./testing/random-text.ts";
import { randomReachCase } from "./testing/reach-kernels.ts";
import { runWgsl } from "./testing/run-wgsl.ts";
import { checkWithin, newShare, type Share } from "./testing/within.ts";

const factor = isSweep ? 20 : 1;

const shares = ({ floats, boundedFloats, integers, knownIntegers }: Share) => ({
  floats: boundedFloats / floats,
  integers: knownIntegers / integers,
});

it("computes what the interpreter does, of all types and nodes", async () => {
  const { device } = await testGpu();
  const share = newShare();
  for (let seed = 0; seed < 40 * factor; seed++) {
    const random = randomFrom(seed);
    const program = randomKernel(random, `kernel ${seed}`, { hasDoubles: seed % 4 === 0 });
    const call = randomKernelCall(random, 24);
    await runWgsl(device, program, call);
    checkWithin(program, call, share, `seed ${seed}`);
  }
  expect(shares(share).integers).toBeGreaterThan(0.4);
  expect(shares(share).floats).toBeGreaterThan(0.3);
}, 600_000);

it("computes what the interpreter does, over grids", async () => {
  const { device } = await testGpu();
  const share = newShare();
  for (let seed = 0; seed < 20 * factor; seed++) {
    const random = randomFrom(seed);
    const program = gridKernel(randomKernelText(random));
    const call = gridCall(random, [5, 4, 3], seed % 2 === 0 ? 0 : 1 / 16);
    await runWgsl(device, program, call);
    checkWithin(program, call, share, `seed ${seed}`);
  }
  expect(shares(share).integers).toBeGreaterThan(0.4);
  expect(shares(share).floats).toBeGreaterThan(0.4);
}, 600_000);

it("computes the same on blocks with ghost layers as wide as the footprint as on the whole", async () => {
  const { device } = await testGpu();
  const share = newShare();
  for (let seed = 0; seed < 5 * factor; seed++) {
    const random = randomFrom(seed);
    const { program, call } = randomReachCase(random);
    await runWgsl(device, program, call);
    checkWithin(program, call, share, `seed ${seed}`);
    for (const part of randomCuts(random, call.space).slice(0, 3)) {
      const piece = callOfPart(random, program, call, part);
      await runWgsl(device, program, piece);
      checkWithin(program, piece, share, `seed ${seed}, ${JSON.stringify(part)}`);
    }
  }
  expect(shares(share)).toEqual({ floats: 1, integers: 1 });
}, 600_000);
