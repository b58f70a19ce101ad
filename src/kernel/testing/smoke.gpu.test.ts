import { expect, it } from "vitest";
import { testGpu } from "../../gpu/testing/context.ts";
import { interpretKernel } from "../interpret/interpret.ts";
import { gridKernel } from "./grid-kernel.ts";
import { gridCall, randomFrom } from "./random-call.ts";
import { randomKernelText } from "./random-text.ts";
import { runWgsl } from "./run-wgsl.ts";

it("smoke", async () => {
  const { device } = await testGpu();
  let same = 0;
  let all = 0;
  const begin = performance.now();
  for (let seed = 0; seed < 12; seed++) {
    const random = randomFrom(seed);
    const text = randomKernelText(random);
    const program = gridKernel(text);
    const call = gridCall(random, [5, 4, 3], 0);
    await runWgsl(device, program, call);
    const got = call.outputs;
    const outputs = {
      result: new Float32Array(60),
      vector: new Float32Array(180),
      count: new Int32Array(60),
    };
    interpretKernel(program)({ ...call, outputs });
    for (const [name, words] of Object.entries(outputs)) {
      all += words.length;
      words.forEach((v, i) => {
        if (Object.is(v, got[name][i]) || Math.abs(v - got[name][i]) <= 1e-5 * Math.abs(v)) same++;
      });
    }
  }
  console.log(same, all, performance.now() - begin);
  expect(same).toBeGreaterThan(0);
}, 300000);
