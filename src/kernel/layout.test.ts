import { expect, it } from "vitest";
import { compileKernel } from "./compile-js.ts";
import { interpretKernel } from "./interpret/interpret.ts";
import { elementCount, type RowPart, wholeRow } from "./layout.ts";
import { callOfPart, putBack, randomCuts } from "./testing/cut.ts";
import { randomFrom } from "./testing/random-call.ts";
import { newOutputs, randomReachCase } from "./testing/reach-kernels.ts";
import { parseKernel } from "./text/parse.ts";

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

it("reads a ring's part that goes on behind the last element", () => {
  const program = parseKernel({
    name: "sums on a ring",
    inputs: {
      a: { scalar: "u32", access: { kind: "own" } },
      b: { scalar: "u32", access: { kind: "all" } },
      c: { scalar: "u32", components: 2, access: { kind: "all" } },
    },
    outputs: { sum: { scalar: "u32" } },
    constants: {},
    text: `let next = (element + 1u) % 10u;
let before = i32((element + 9u) % 10u);
out.sum = a() + 100u * b(next) + 10000u * u32(b(before)) + 1000000u * c(next).y;`,
  });
  const whole = wholeRow(10);
  const words = Uint32Array.from({ length: 10 }, (_, k) => k + 1);
  const pairs = Uint32Array.from({ length: 20 }, (_, k) => (k % 2) * ((k >> 1) + 1));
  for (const run of [interpretKernel(program), compileKernel(program, { generates: true })]) {
    const expected = new Uint32Array(10);
    const inputs = { a: words, b: words, c: pairs };
    const blocksOf = (part: RowPart, held: (words: Uint32Array) => Uint32Array) =>
      Object.fromEntries(Object.entries(inputs).map(([name, all]) => [name, { words: held(all), part }]));
    run({ space: whole, inputs: blocksOf(whole, (all) => all), outputs: { sum: expected }, constants: {} });
    expect(expected[9]).toBe(10 + 100 * 1 + 10000 * 9 + 1000000 * 1);
    for (const [first, length] of [
      [7, 6],
      [8, 10],
      [0, 6],
      [3, 7],
    ]) {
      const part = { ...whole, first, length, isRing: true };
      const blocks = blocksOf(part, (all) => {
        const components = all.length / 10;
        return Uint32Array.from(
          { length: length * components },
          (_, k) => all[(first * components + k) % all.length],
        );
      });
      // Elements with both neighbours at hand, each by itself.
      for (let k = 1; k < length - 1; k++) {
        const element = (first + k) % 10;
        const sum = new Uint32Array(1);
        run({
          space: { ...whole, first: element, length: 1 },
          inputs: blocks,
          outputs: { sum },
          constants: {},
        });
        expect(sum[0], `${first}, ${length}: ${element}`).toBe(expected[element]);
      }
    }
  }
});
