import { describe, expect, it } from "vitest";
import {
  binary,
  builtin,
  call,
  constant,
  constantVariable,
  construct,
  literal,
  load,
  member,
  mutableVariable,
  position,
  read,
  swizzle,
} from "./build.ts";
import { checkFunctions, checkKernel } from "./check.ts";
import type { Expression, KernelFunction, KernelProgram, Statement } from "./ir.ts";
import { kernelErrorOf } from "./testing/caught.ts";
import { arrayOf, bool, f32, f64, i32, type StructType, u32, vectorOf } from "./types.ts";

const one = literal(1, f32);
const program = (body: readonly Statement[], more: Partial<KernelProgram> = {}): KernelProgram => ({
  name: "test",
  inputs: { values: { scalar: "f32", access: { kind: "own" } } },
  outputs: { result: { scalar: "f32" } },
  constants: { scale: f32 },
  structs: [],
  functions: [],
  body,
  ...more,
});
const setResult = (value: Expression): Statement => ({
  kind: "assign",
  target: { kind: "output", name: "result", type: f32 },
  value,
});
const faultOf = (body: readonly Statement[], more?: Partial<KernelProgram>) =>
  kernelErrorOf(() => checkKernel(program(body, more))).message;

it("lets what the makers build pass", () => {
  const x = constantVariable("x", f32);
  const sum = mutableVariable("sum", f32);
  const i = constantVariable("i", i32);
  const twice: KernelFunction = {
    name: "twice",
    parameters: [x],
    result: f32,
    body: [{ kind: "return", value: binary("*", read(x), literal(2, f32)) }],
  };
  const values = load("values", program([]).inputs.values, []);
  checkKernel(
    program(
      [
        { kind: "declare", variable: sum, value: undefined },
        {
          kind: "for",
          variable: i,
          from: literal(0, i32),
          to: literal(3, i32),
          step: 1,
          body: [
            {
              kind: "assign",
              target: { kind: "variable", variable: sum, type: f32 },
              value: builtin("max", [call(twice, [values]), constant("scale", f32)]),
            },
          ],
        },
        setResult(swizzle(construct(vectorOf("f32", 2), [read(sum), one]), "x")),
      ],
      { functions: [twice] },
    ),
  );
});

describe("statements", () => {
  const x = constantVariable("x", f32);
  const declared: Statement = { kind: "declare", variable: x, value: one };
  const target = { kind: "variable", variable: x, type: f32 } as const;
  const loop = (variable = constantVariable("i", u32), step = 1): Statement => ({
    kind: "for",
    variable,
    from: literal(0, u32),
    to: literal(3, u32),
    step,
    body: [],
  });
  it.each<[string, readonly Statement[], string]>([
    ["two declarations", [declared, declared], "The variable “x” is declared twice. Declare another one."],
    [
      "a let without a value",
      [{ kind: "declare", variable: x, value: undefined }],
      "“x” has no value, and never gets one. Give it one.",
    ],
    [
      "another type than declared",
      [{ kind: "declare", variable: x, value: literal(1, u32) }],
      "“x” is f32, and the value is u32. Convert it.",
    ],
    [
      "a use after the block",
      [{ kind: "if", condition: literal(true, bool), body: [declared], otherwise: [] }, setResult(read(x))],
      "The variable “x” is used where it is not declared. Declare it before, in the same block or in one around it.",
    ],
    [
      "an assignment to a let",
      [declared, { kind: "assign", target, value: one }],
      "“x” cannot be assigned to. Only what is declared with var changes: not what is declared with let, parameters or the variables of loops.",
    ],
    ["a jump outside loops", [{ kind: "continue" }], "“continue” stands in no loop. Remove it, or return."],
    [
      "a condition that is not a bool",
      [{ kind: "if", condition: one, body: [], otherwise: [] }],
      "A condition is bool, and the value is f32. Convert it.",
    ],
    [
      "a value of a kernel",
      [{ kind: "return", value: one }],
      "A kernel returns no value. Assign it to an output.",
    ],
    ["no step", [loop(undefined, 0)], "A loop cannot count by 0. Its step is a number of u32, and not 0."],
    [
      "a step between integers",
      [loop(undefined, 0.5)],
      "A loop cannot count by 0.5. Its step is a number of u32, and not 0.",
    ],
    [
      "a loop's mutable variable",
      [loop(mutableVariable("i", u32))],
      "The loop's variable “i” can be assigned to. Make it immutable.",
    ],
    [
      "a loop's other bounds",
      [loop(constantVariable("i", i32))],
      "The loop's “i” is i32, and the value is u32. Convert it.",
    ],
    ["a loop over floats", [loop(x)], "A loop cannot count in f32. Its variable is i32 or u32."],
    [
      "an unknown output",
      [{ kind: "assign", target: { kind: "output", name: "resutl", type: f32 }, value: one }],
      "There is no output “resutl”. Did you mean “result”?",
    ],
  ])("%s", (_, body, message) => expect(faultOf(body)).toBe(message));
});

describe("expressions", () => {
  it.each<[string, Expression, string]>([
    [
      "a wrong type",
      { kind: "binary", type: f64, operator: "+", left: one, right: one },
      "A node says that it is f64, and is f32. Make nodes with the functions of build.ts.",
    ],
    [
      "a literal that is not rounded",
      { kind: "literal", type: f32, value: 0.1 },
      "0.1 is not a value of f32. Make literals with `literal`.",
    ],
    [
      "an infinite literal",
      { kind: "literal", type: f32, value: Number.POSITIVE_INFINITY },
      "Infinity is not a value of f32. Make literals with `literal`.",
    ],
    [
      "an unknown function",
      { kind: "builtin", type: f32, name: "sqr", arguments: [one] },
      "There is no function “sqr”. Did you mean “sqrt”?",
    ],
    ["an unknown constant", constant("scael", f32), "There is no constant “scael”. Did you mean “scale”?"],
    [
      "an unknown input",
      { kind: "load", type: f32, input: "value", indices: [] },
      "There is no input “value”. Did you mean “values”?",
    ],
    [
      "too many components",
      { kind: "swizzle", type: f32, operand: construct(vectorOf("f32", 2), []), components: [2] },
      "vec2<f32> has no component “z”. It has x, y.",
    ],
    [
      "another position",
      { ...position("at"), type: u32 },
      "A node says that it is u32, and is vec3<u32>. Make nodes with the functions of build.ts.",
    ],
  ])("%s", (_, expression, message) => expect(faultOf([setResult(expression)])).toBe(message));
});

describe("functions", () => {
  const first: KernelFunction = {
    name: "first",
    parameters: [],
    result: f32,
    body: [{ kind: "return", value: one }],
  };
  const calling = (callee: KernelFunction): KernelFunction => ({
    ...first,
    name: "second",
    body: [{ kind: "return", value: call(callee, []) }],
  });

  it("refuses callees after their callers, two of one name, and ways without a value", () => {
    const check = (...functions: KernelFunction[]) =>
      kernelErrorOf(() => checkFunctions({ structs: [], functions })).message;
    expect(check(calling(first), first)).toBe(
      "The function “first” is called before it is declared, or by itself. List functions before those that call them.",
    );
    expect(check(first, first)).toBe("There are two functions “first”. Give one of them another name.");
    expect(check({ ...first, body: [] })).toBe(
      "The function “first” can end without a value. Return f32 on every way through it.",
    );
    expect(check({ ...first, body: [{ kind: "return", value: position("element") }] })).toBe(
      "“element” is known only in kernels. Pass it as an argument.",
    );
  });
});

describe("inputs", () => {
  it("refuses maps that are not inputs of u32", () => {
    const mapped = { scalar: "f32", access: { kind: "map", map: "nodes", arity: 2 } } as const;
    expect(faultOf([], { inputs: { mapped } })).toBe(
      "The input “mapped” is read through “nodes”, which is not an input. Declare an input of u32 with that name.",
    );
    expect(faultOf([], { inputs: { mapped, nodes: { scalar: "f32", access: { kind: "all" } } } })).toBe(
      "The map “nodes” of the input “mapped” does not hold elements of one u32. Declare an input of u32 with that name.",
    );
  });
});

it("refuses structs that are not listed, or listed twice", () => {
  const inner: StructType = { kind: "struct", name: "Inner", members: [{ name: "x", type: f32 }] };
  const outer: StructType = {
    kind: "struct",
    name: "Outer",
    members: [{ name: "inner", type: arrayOf(inner, 2) }],
  };
  const declared: Statement = { kind: "declare", variable: mutableVariable("pair", inner), value: undefined };
  const missing = "The struct Inner is not declared. List it before those that contain it.";
  expect(faultOf([declared])).toBe(missing);
  expect(faultOf([setResult(member(construct(inner, []), "x"))])).toBe(missing);
  expect(faultOf([], { structs: [outer, inner] })).toBe(missing);
  expect(faultOf([], { structs: [inner, inner] })).toBe(
    "There are two structs Inner. Give one of them another name.",
  );
  checkKernel(program([declared], { structs: [inner, outer] }));
});
