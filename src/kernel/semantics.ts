/**
 * What operations on scalars mean (docs/kernels.md, “What targets promise”). The interpreter computes with these
 * functions; the emitters write code that gives the same.
 */
import type { BinaryOperator, UnaryOperator } from "./ir.ts";
import type { Scalar } from "./types.ts";

export type ScalarValue = number | boolean;

export const isFloat = (scalar: Scalar): boolean => scalar === "f32" || scalar === "f64";
export const isInteger = (scalar: Scalar): boolean => scalar === "i32" || scalar === "u32";

/** Rounds a number to what the scalar type holds: integers wrap around. */
export function rounded(scalar: Scalar, value: number): number {
  switch (scalar) {
    case "f32":
      return Math.fround(value);
    case "i32":
      return value | 0;
    case "u32":
      return value >>> 0;
    default:
      return value;
  }
}

export function unaryScalar(operator: UnaryOperator, scalar: Scalar, x: ScalarValue): ScalarValue {
  if (operator === "!") return !x;
  return rounded(scalar, operator === "~" ? ~Number(x) : -Number(x));
}

/** Of two operands of one type; shifts take their distance modulo 32. */
export function binaryScalar(
  operator: BinaryOperator,
  scalar: Scalar,
  left: ScalarValue,
  right: ScalarValue,
): ScalarValue {
  const [a, b] = [Number(left), Number(right)];
  switch (operator) {
    case "==":
      return left === right;
    case "!=":
      return left !== right;
    case "<":
      return a < b;
    case "<=":
      return a <= b;
    case ">":
      return a > b;
    case ">=":
      return a >= b;
    case "&&":
      return left === true && right === true;
    case "||":
      return left === true || right === true;
    case "&":
      return scalar === "bool" ? left === true && right === true : rounded(scalar, a & b);
    case "|":
      return scalar === "bool" ? left === true || right === true : rounded(scalar, a | b);
    case "^":
      return rounded(scalar, a ^ b);
    case "<<":
      return rounded(scalar, a << b);
    case ">>":
      return scalar === "u32" ? a >>> b : a >> b;
    case "+":
      return rounded(scalar, a + b);
    case "-":
      return rounded(scalar, a - b);
    case "*":
      return isInteger(scalar) ? rounded(scalar, Math.imul(a, b)) : rounded(scalar, a * b);
    case "/":
      return isInteger(scalar) && b === 0 ? a : rounded(scalar, a / b);
    case "%":
      return isInteger(scalar) && b === 0 ? 0 : rounded(scalar, a % b);
  }
}

const rangeOf = { i32: [-(2 ** 31), 2 ** 31 - 1], u32: [0, 2 ** 32 - 1] } as const;

/** Floats to integers: truncated, the nearest value that the type holds beyond its range, 0 for NaN. */
export function convertScalar(from: Scalar, to: Scalar, value: ScalarValue): ScalarValue {
  if (to === "bool") return typeof value === "boolean" ? value : value !== 0;
  const number = Number(value);
  if (isFloat(from) && (to === "i32" || to === "u32")) {
    const [first, last] = rangeOf[to];
    return rounded(to, Math.min(Math.max(number, first), last));
  }
  return rounded(to, number);
}

const word = new DataView(new ArrayBuffer(4));

export function bitcastScalar(from: Scalar, to: Scalar, value: number): number {
  if (from === to) return value;
  if (from === "f32") word.setFloat32(0, value);
  else word.setUint32(0, value >>> 0);
  if (to === "f32") return word.getFloat32(0);
  return to === "i32" ? word.getInt32(0) : word.getUint32(0);
}

/** To the nearest integer, halves to the even one. */
function roundEven(x: number): number {
  const down = Math.floor(x);
  const rest = x - down;
  const isDown = rest < 0.5 || (rest === 0.5 && down % 2 === 0);
  // NaN and infinities leave no rest that compares.
  return isDown ? down : rest >= 0.5 ? Math.ceil(x) : x;
}

function reverseBits(x: number): number {
  let result = 0;
  for (let bit = 0; bit < 32; bit++) result |= ((x >>> bit) & 1) << (31 - bit);
  return result;
}

function countOneBits(x: number): number {
  let count = 0;
  for (let rest = x | 0; rest !== 0; rest &= rest - 1) count++;
  return count;
}

/** How many bits are taken from which on: both are cut to 32 bits, as in WGSL. */
function fieldOf(offset: number, count: number): readonly [first: number, length: number] {
  const first = Math.min(offset, 32);
  return [first, Math.min(count, 32 - first)];
}

function extractBits(x: number, offset: number, count: number, isSigned: boolean): number {
  const [first, length] = fieldOf(offset, count);
  if (length === 0) return 0;
  const top = x << (32 - first - length);
  return isSigned ? top >> (32 - length) : top >>> (32 - length);
}

function insertBits(x: number, inserted: number, offset: number, count: number): number {
  const [first, length] = fieldOf(offset, count);
  if (length === 0) return x;
  const mask = (length === 32 ? -1 : (1 << length) - 1) << first;
  return (x & ~mask) | ((inserted << first) & mask);
}

/**
 * Built-in functions of numbers, by component. Results are rounded to the type afterwards. Where the names of integer and
 * float functions agree, so do the functions.
 */
export const numberFunctions = {
  abs: Math.abs,
  sign: (x: number) => (x > 0 ? 1 : x < 0 ? -1 : 0),
  // biome-ignore lint/complexity/useMathMinMax: WGSL's definitions, which a NaN passes as a comparison that is false.
  min: (a: number, b: number) => (b < a ? b : a),
  // biome-ignore lint/complexity/useMathMinMax: as above.
  max: (a: number, b: number) => (a < b ? b : a),
  floor: Math.floor,
  ceil: Math.ceil,
  round: roundEven,
  trunc: Math.trunc,
  sqrt: Math.sqrt,
  exp: Math.exp,
  exp2: (x: number) => 2 ** x,
  log: Math.log,
  log2: Math.log2,
  sin: Math.sin,
  cos: Math.cos,
  tan: Math.tan,
  asin: Math.asin,
  acos: Math.acos,
  atan: Math.atan,
  sinh: Math.sinh,
  cosh: Math.cosh,
  tanh: Math.tanh,
  asinh: Math.asinh,
  acosh: Math.acosh,
  atanh: Math.atanh,
  pow: (base: number, exponent: number) => base ** exponent,
  atan2: Math.atan2,
  fma: (a: number, b: number, c: number) => a * b + c,
  countOneBits,
  countLeadingZeros: Math.clz32,
  countTrailingZeros: (x: number) => (x === 0 ? 32 : 31 - Math.clz32(x & -x)),
  /** The highest set bit of u32 and of i32 that are not negative; of negative ones the highest clear one; else −1. */
  firstLeadingBit: (x: number) => 31 - Math.clz32(x < 0 ? ~x : x),
  firstTrailingBit: (x: number) => (x === 0 ? -1 : 31 - Math.clz32(x & -x)),
  reverseBits,
  extractBits: (x: number, offset: number, count: number) => extractBits(x, offset, count, false),
  extractSignedBits: (x: number, offset: number, count: number) => extractBits(x, offset, count, true),
  insertBits,
} as const;

export type NumberFunction = keyof typeof numberFunctions;

/** Tests of floats, by component. */
export const floatTests = {
  isNan: Number.isNaN,
  isInf: (x: number) => x === Number.POSITIVE_INFINITY || x === Number.NEGATIVE_INFINITY,
  isFinite: Number.isFinite,
} as const;

export type FloatTest = keyof typeof floatTests;
