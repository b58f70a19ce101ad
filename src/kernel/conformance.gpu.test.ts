import { expect, it } from "vitest";
import { testGpu } from "../gpu/testing/context.ts";
import { isSweep } from "../gpu/testing/sweep.ts";
import { wholeRow } from "./layout.ts";
import { callOfPart, randomCuts } from "./testing/cut.ts";
import { gridKernel } from "./testing/grid-kernel.ts";
import { gridCall, randomFrom, randomKernelCall } from "./testing/random-call.ts";
import { randomKernel } from "./testing/random-kernels.ts";
import { randomKernelText } from "./testing/random-text.ts";
import { randomReachCase } from "./testing/reach-kernels.ts";
import { runWgsl } from "./testing/run-wgsl.ts";
import { checkWithin, newShare, type Share } from "./testing/within.ts";
import { parseKernel } from "./text/parse.ts";

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

const least = -(2 ** 31);

/** What WGSL leaves open, or compilers may compute in their own way: see docs/kernels.md, “What targets promise”. */
const edges: readonly { text: string; operands: readonly [number, number]; result: number }[] = [
  { text: "out.i = a / b;", operands: [7, 0], result: 7 },
  { text: "out.i = a % b;", operands: [7, 0], result: 0 },
  { text: "out.i = a / b;", operands: [least, -1], result: least },
  { text: "out.i = a % b;", operands: [least, -1], result: 0 },
  { text: "out.i = a / b;", operands: [-7, 2], result: -3 },
  { text: "out.i = a % b;", operands: [-7, 2], result: -1 },
  { text: "out.i = a + b;", operands: [2 ** 31 - 1, 1], result: least },
  { text: "out.i = a * b;", operands: [2 ** 30 + 1, 7], result: Math.imul(2 ** 30 + 1, 7) },
  { text: "out.i = -a;", operands: [least, 0], result: least },
  { text: "out.i = abs(a);", operands: [least, 0], result: least },
  { text: "out.i = a >> u32(b);", operands: [least, 63], result: -1 },
  { text: "out.i = i32(u32(a) << u32(b));", operands: [1, 33], result: 2 },
  { text: "out.i = i32(u32(a) / u32(b));", operands: [5, 0], result: 5 },
  { text: "out.i = i32(x);", operands: [Number.NaN, 0], result: 0 },
  { text: "out.i = i32(x);", operands: [Number.POSITIVE_INFINITY, 0], result: 2 ** 31 - 1 },
  { text: "out.i = i32(x);", operands: [Number.NEGATIVE_INFINITY, 0], result: least },
  { text: "out.i = i32(x);", operands: [-1.9, 0], result: -1 },
  { text: "out.i = bitcast<i32>(u32(x));", operands: [-1.5, 0], result: 0 },
  { text: "out.i = bitcast<i32>(u32(x));", operands: [4e9, 0], result: 4e9 - 2 ** 32 },
  { text: "out.i = i32(isNan(x)) + 2 * i32(isInf(x));", operands: [Number.NaN, 0], result: 1 },
  { text: "out.i = i32(isNan(x)) + 2 * i32(isInf(x));", operands: [Number.NEGATIVE_INFINITY, 0], result: 2 },
  { text: "out.i = i32(isFinite(x));", operands: [3e38, 0], result: 1 },
  { text: "out.i = i32(8.0 * (x % y));", operands: [-5.5, 2], result: -12 },
  { text: "out.i = array<i32, 3>(4, 5, 6)[a];", operands: [-1, 0], result: 4 },
  { text: "out.i = array<i32, 3>(4, 5, 6)[a];", operands: [9, 0], result: 6 },
  {
    text: "var n = 0; for (var k = 2147483644; k < a; k += 2) { n += 1; } out.i = n;",
    operands: [2 ** 31 - 1, 0],
    result: 2,
  },
];

it("has the kernels' meaning where WGSL's is open", async () => {
  const { device } = await testGpu();
  const branches = edges.map(({ text }, k) => `if (element == ${k}) { ${text} }`);
  const own = { kind: "own" } as const;
  const program = parseKernel({
    name: "edges",
    inputs: {
      first: { scalar: "i32", access: own },
      second: { scalar: "i32", access: own },
      float: { scalar: "f32", access: own },
      divisor: { scalar: "f32", access: own },
    },
    outputs: { i: { scalar: "i32" } },
    constants: {},
    text: `let a = first(); let b = second(); let x = float(); let y = divisor();\n${branches.join("\n")}`,
  });
  const part = wholeRow(edges.length);
  const column = (k: 0 | 1) => edges.map(({ operands }) => operands[k]);
  const inputs = {
    first: { words: Int32Array.from(column(0)), part },
    second: { words: Int32Array.from(column(1)), part },
    float: { words: Float32Array.from(column(0)), part },
    divisor: { words: Float32Array.from(column(1)), part },
  };
  const outputs = { i: new Int32Array(edges.length) };
  await runWgsl(device, program, { space: part, inputs, outputs, constants: {} });
  expect(edges.map(({ text }, k) => [text, outputs.i[k]])).toEqual(
    edges.map(({ text, result }) => [text, result]),
  );
});
