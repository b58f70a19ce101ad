import { expect, it } from "vitest";
import { compileFunction } from "./compile-js.ts";
import { parseFunctions } from "./text/parse.ts";

/** The result of an expression of the parameters, interpreted and as generated JavaScript, which have to agree. */
function evaluate(parameters: string, result: string, text: string, ...values: (number | boolean)[]) {
  const { functions } = parseFunctions(`fn f(${parameters}) -> ${result} { return ${text}; }`);
  const [generated, interpreted] = [true, false].map((generates) =>
    compileFunction(functions[0], { generates })(...values),
  );
  expect(generated).toEqual(interpreted);
  return generated;
}

const min = -(2 ** 31);

it("divides integers by zero, and the least by −1, as WGSL does", () => {
  const i32 = (text: string, ...values: number[]) => evaluate("a: i32, b: i32", "i32", text, ...values);
  expect(i32("a / b", 7, 0)).toBe(7);
  expect(i32("a % b", 7, 0)).toBe(0);
  expect(i32("a / b", min, -1)).toBe(min);
  expect(i32("a % b", min, -1)).toBe(0);
  expect(i32("a / b", -7, 2)).toBe(-3);
  expect(i32("a % b", -7, 2)).toBe(-1);
  expect(evaluate("a: u32, b: u32", "u32", "a / b", 2 ** 32 - 1, 2)).toBe(2 ** 31 - 1);
  expect(evaluate("a: u32, b: u32", "u32", "a % b", 5, 0)).toBe(0);
});

it("wraps integers around", () => {
  expect(evaluate("a: i32, b: i32", "i32", "a + b", 2 ** 31 - 1, 1)).toBe(min);
  expect(evaluate("a: i32, b: i32", "i32", "a * b", 2 ** 30 + 1, 7)).toBe(Math.imul(2 ** 30 + 1, 7));
  expect(evaluate("a: i32", "i32", "-a", min)).toBe(min);
  expect(evaluate("a: i32", "i32", "abs(a)", min)).toBe(min);
  expect(evaluate("a: u32, b: u32", "u32", "a - b", 0, 1)).toBe(2 ** 32 - 1);
  expect(evaluate("a: u32, b: u32", "u32", "a * b", 2 ** 32 - 1, 2 ** 32 - 1)).toBe(1);
});

it("shifts by distances modulo 32", () => {
  expect(evaluate("a: u32, b: u32", "u32", "a << b", 1, 33)).toBe(2);
  expect(evaluate("a: i32, b: u32", "i32", "a >> b", min, 63)).toBe(-1);
  expect(evaluate("a: u32, b: u32", "u32", "a >> b", 2 ** 31, 63)).toBe(1);
});

it("converts floats to the nearest integers that there are, and NaN to 0", () => {
  for (const [from, i32, u32] of [
    [Number.NaN, 0, 0],
    [Infinity, 2 ** 31 - 1, 2 ** 32 - 1],
    [-Infinity, min, 0],
    [2 ** 31, 2 ** 31 - 1, 2 ** 31],
    [-1.9, -1, 0],
    [-0.5, 0, 0],
    [4e9, 2 ** 31 - 1, 4e9],
  ]) {
    for (const type of ["f32", "f64"]) {
      expect(evaluate(`x: ${type}`, "i32", "i32(x)", from)).toBe(i32);
      expect(evaluate(`x: ${type}`, "u32", "u32(x)", from)).toBe(u32);
    }
  }
  expect(evaluate("x: i32", "f32", "f32(x)", 2 ** 24 + 1)).toBe(2 ** 24);
  expect(evaluate("x: f32", "bool", "bool(x)", Number.NaN)).toBe(true);
  expect(evaluate("x: f32", "bool", "bool(x)", -0)).toBe(false);
  expect(evaluate("x: bool", "f32", "f32(x)", true)).toBe(1);
});

it("compares NaN with nothing, and finds it", () => {
  const of = (text: string, ...values: number[]) => evaluate("a: f32, b: f32", "bool", text, ...values);
  for (const operator of ["<", "<=", ">", ">=", "=="])
    expect(of(`a ${operator} b`, Number.NaN, 1)).toBe(false);
  expect(of("a != b", Number.NaN, Number.NaN)).toBe(true);
  expect(of("isNan(a) && isInf(b) && !isFinite(b)", Number.NaN, -Infinity)).toBe(true);
});

it("rounds f32 after each operation, and f64 never to f32", () => {
  expect(evaluate("a: f32, b: f32", "f32", "a + b - a", 2 ** 24, 1)).toBe(0);
  expect(evaluate("a: f64, b: f64", "f64", "a + b - a", 2 ** 24, 1)).toBe(1);
  expect(evaluate("a: f32, b: f32", "f32", "a / b", 1, 3)).toBe(Math.fround(1 / 3));
});

it("rounds halves to even", () => {
  for (const [x, rounded] of [
    [0.5, 0],
    [1.5, 2],
    [2.5, 2],
    [-2.5, -2],
    [-0.6, -1],
    [Infinity, Infinity],
    [Number.NaN, Number.NaN],
    [2 ** 31 + 0.5, 2 ** 31],
  ]) {
    expect(evaluate("x: f64", "f64", "round(x) + 0", x)).toBe(rounded);
  }
});

it("counts and moves bits", () => {
  const u32 = (text: string, x: number) => evaluate("x: u32", "u32", text, x);
  expect(u32("countOneBits(x)", 2 ** 32 - 1)).toBe(32);
  expect(u32("countLeadingZeros(x)", 0)).toBe(32);
  expect(u32("countTrailingZeros(x)", 2 ** 31)).toBe(31);
  expect(u32("firstLeadingBit(x)", 0)).toBe(2 ** 32 - 1);
  expect(evaluate("x: i32", "i32", "firstLeadingBit(x)", -1)).toBe(-1);
  expect(evaluate("x: i32", "i32", "firstLeadingBit(x)", -2)).toBe(0);
  expect(u32("reverseBits(x)", 1)).toBe(2 ** 31);
  expect(u32("extractBits(x, 4u, 8u)", 0xabcd)).toBe(0xbc);
  expect(u32("extractBits(x, 40u, 8u)", 0xabcd)).toBe(0);
  expect(u32("extractBits(x, 0u, 99u)", 0xabcd)).toBe(0xabcd);
  expect(evaluate("x: i32", "i32", "extractBits(x, 4u, 4u)", 0xf0)).toBe(-1);
  expect(u32("insertBits(x, 0xffu, 8u, 4u)", 0)).toBe(0xf00);
});

it("takes indices beyond the end for the last, and below the first for the first", () => {
  const at = (i: number) => evaluate("i: i32", "f32", "array<f32, 3>(10, 20, 30)[i]", i);
  expect([-5, 0, 1, 2, 3, min].map(at)).toEqual([10, 10, 20, 30, 30, 10]);
});
