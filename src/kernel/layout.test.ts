import { expect, it } from "vitest";
import { compileKernel } from "./compile-js.ts";
import { interpretKernel } from "./interpret/interpret.ts";
import { elementCount } from "./layout.ts";
import { callOfPart, putBack, randomCuts } from "./testing/cut.ts";
import { randomFrom } from "./testing/random-call.ts";
import { newOutputs, randomReachCase } from "./testing/reach-kernels.ts";

it("computes the same on blocks with ghost layers as wide as the footprint as on the whole", () => {
  let parts = 0;
  for (let seed = 0; seed < 60; seed++) {
    const random = randomFrom(seed);
    const { program, call } = randomReachCase(random);
    interpretKernel(program)(call);
    const runs = [interpretKernel(program), compileKernel(program, { generates: true })];
    for (const run of runs) {
      const whole = { ...call, outputs: newOutputs(elementCount(call.space)) };
      run(whole);
      expect(whole.outputs, `seed ${seed}, whole`).toEqual(call.outputs);
      const pieces = { ...call, outputs: newOutputs(elementCount(call.space)) };
      for (const part of randomCuts(random, call.space)) {
        const piece = callOfPart(random, program, call, part);
        run(piece);
        putBack(program, pieces, piece);
        parts++;
      }
      expect(pieces.outputs, `seed ${seed}, parts`).toEqual(call.outputs);
    }
  }
  expect(parts).toBeGreaterThan(500);
});

it("computes chosen elements of a grid", () => {
  for (let seed = 0; seed < 40; seed++) {
    const random = randomFrom(seed);
    const { program, call } = randomReachCase(random);
    const n = elementCount(call.space);
    const elements = Uint32Array.from({ length: n }, () => random() * n);
    const grid = call.space.kind === "grid" ? call.space.whole : undefined;
    const list = (outputs: typeof call.outputs) => ({
      ...call,
      space: { kind: "row", whole: n, first: 0, length: n } as const,
      at: { elements, grid },
      outputs,
    });
    const [interpreted, generated] = [newOutputs(n), newOutputs(n)];
    interpretKernel(program)(list(interpreted));
    compileKernel(program, { generates: true })(list(generated));
    expect(generated, `seed ${seed}`).toEqual(interpreted);
  }
});
