import { expect, it } from "vitest";
import { all, around, own } from "../core/primitives/access.ts";
import { defineKernel } from "../core/primitives/kernel.ts";
import { min } from "../core/primitives/operators.ts";
import { defineReduction, defineTally, noBin } from "../core/primitives/reduction.ts";
import { wholeRow } from "./layout.ts";
import { kernelProgram, kernelRun, reductionRun, tallyRun } from "./records.ts";
import { kernelErrorOf } from "./testing/caught.ts";

const kernelOf = (text: string, functions?: string) =>
  defineKernel({
    name: "rise",
    inputs: {
      own: { type: "f32", access: own },
      near: { type: "f32", access: around(0, 1) },
      table: { type: "i32", components: 2, access: all },
    },
    constants: { scale: { type: "f32", components: 3 } },
    outputs: { rise: { type: "f32" } },
    text,
    functions,
  });

const part = wholeRow(3);
const x = { words: Float32Array.of(4, Number.NaN, -1), part };

it("makes a program of a record once, functions after the text", () => {
  const text = "out.rise = scaled(near(element + 1u) - own()) + f32(table(0u).y);";
  const kernel = kernelOf(text, "fn scaled(x: f32) -> f32 { return constants.scale.z * x; }");
  expect(kernelProgram(kernel)).toBe(kernelProgram(kernel));
  expect(kernelRun(kernel)).toBe(kernelRun(kernel));
  const rise = new Float32Array(2);
  const near = { words: Float32Array.of(1, 3, 7), part };
  const table = { words: Int32Array.of(0, 100), part: wholeRow(1) };
  kernelRun(kernel)({
    space: wholeRow(2),
    inputs: { own: near, near, table },
    constants: { scale: [0, 0, 0.5] },
    outputs: { rise },
  });
  expect([...rise]).toEqual([101, 102]);
});

it("names a record whose text is wrong, and the place in it", () => {
  const fault = (text: string) => kernelErrorOf(() => kernelProgram(kernelOf(text)));
  expect(fault("out.rise = own(element);")).toMatchObject({
    tag: "KernelError",
    problem: expect.stringContaining("“rise”"),
    span: expect.objectContaining({ from: 11 }),
  });
  expect(fault("let i = i32(element);\nout.rise = near(i);")).toMatchObject({
    problem: expect.stringContaining("at a position of i32"),
    remedy: "Convert it to u32.",
    span: expect.objectContaining({ line: 2 }),
  });
});

it("begins with the operators' identities, and with no bin", () => {
  const inputs = { x: { type: "f32", access: own } } as const;
  const text = "if (isNan(x())) { return; }\n";
  const lowest = defineReduction({
    name: "lowest",
    inputs,
    constants: {},
    terms: { low: { type: "f32", operator: min } },
    text: `${text}out.low = x();`,
  });
  const low = new Float32Array(3);
  const call = { space: part, inputs: { x }, constants: {} };
  reductionRun(lowest)({ ...call, outputs: { low } });
  expect([...low]).toEqual([4, Number.POSITIVE_INFINITY, -1]);
  const signs = defineTally({
    name: "signs",
    inputs,
    constants: {},
    text: `${text}out.bin = u32(x() > 0.0);`,
  });
  const bin = new Uint32Array(3);
  tallyRun(signs)({ ...call, outputs: { bin } });
  expect([...bin]).toEqual([1, noBin, 0]);
});
