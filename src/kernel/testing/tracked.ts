/**
 * Scalars with bounds of what a GPU may make of them. A float is an interval that holds the result of every order of rounding
 * that WGSL allows (section “Floating point accuracy”), subnormals as they are or as 0; an integer or boolean is known,
 * or open where it follows from a float that may lie on either side. Floats beyond f32, and NaN, are open, except where
 * they are just moved: compilers may assume that there are none.
 */
import type { Algebra } from "../expand.ts";
import type { BinaryOperator } from "../ir.ts";
import {
  binaryScalar,
  bitcastScalar,
  convertScalar,
  floatTests,
  isFloat,
  type NumberFunction,
  numberFunctions,
  rounded,
  type ScalarValue,
  unaryScalar,
} from "../semantics.ts";
import type { Scalar } from "../types.ts";

export type Tracked =
  /** Exactly this: of floats, all bits are as they were read or written. */
  | { readonly kind: "known"; readonly value: ScalarValue }
  | { readonly kind: "range"; readonly low: number; readonly high: number }
  | { readonly kind: "open" };

export const open: Tracked = { kind: "open" };
export const known = (value: ScalarValue): Tracked => ({ kind: "known", value });

const smallestNormal = 2 ** -126;
const largest = 3.4028234663852886e38;

/** An interval, wider by so many units in the last place and by what is lost where subnormals become 0. */
function range(low: number, high: number, ulps: number, absolute = 0): Tracked {
  if (!(low <= high)) return open;
  const size = Math.max(Math.abs(low), Math.abs(high), smallestNormal);
  const wider = ulps * 2 ** (Math.floor(Math.log2(size)) - 23) + absolute;
  const from = low - wider;
  const to = high + wider;
  if (!(from > -largest && to < largest)) return open;
  const isTiny = from < smallestNormal && to > -smallestNormal;
  return { kind: "range", low: isTiny ? Math.min(from, 0) : from, high: isTiny ? Math.max(to, 0) : to };
}

/** Bounds of a float that is no more than known: undefined of NaN, infinities and what is open. */
function boundsOf(x: Tracked): { readonly low: number; readonly high: number } | undefined {
  if (x.kind === "open") return undefined;
  const found = x.kind === "range" ? x : range(Number(x.value), Number(x.value), 0);
  return found.kind === "range" ? found : undefined;
}

const exactly = (x: Tracked): ScalarValue | undefined => (x.kind === "known" ? x.value : undefined);

type Bounds = { readonly low: number; readonly high: number };

/** From the ends of a function that is monotonic, or of all corners of two intervals. */
function corners(f: (x: number, y: number) => number, a: Bounds, b: Bounds, ulps: number): Tracked {
  const values = [f(a.low, b.low), f(a.low, b.high), f(a.high, b.low), f(a.high, b.high)];
  return range(Math.min(...values), Math.max(...values), ulps);
}

function floatBinary(operator: BinaryOperator, left: Tracked, right: Tracked): Tracked {
  const [a, b] = [boundsOf(left), boundsOf(right)];
  if (!a || !b) return open;
  const decided = (isTrue: boolean, isFalse: boolean) =>
    isTrue ? known(true) : isFalse ? known(false) : open;
  switch (operator) {
    case "+":
      return range(a.low + b.low, a.high + b.high, 1);
    case "-":
      return range(a.low - b.high, a.high - b.low, 1);
    case "*":
      return corners((x, y) => x * y, a, b, 1);
    case "/": {
      const isOutside = (y: number) => Math.abs(y) < smallestNormal || Math.abs(y) > 2 ** 126;
      if (b.low * b.high <= 0 || isOutside(b.low) || isOutside(b.high)) return open;
      return corners((x, y) => x / y, a, b, 2.5);
    }
    case "%":
      return open;
    case "<":
      return decided(a.high < b.low, a.low >= b.high);
    case "<=":
      return decided(a.high <= b.low, a.low > b.high);
    case ">":
      return decided(a.low > b.high, a.high <= b.low);
    case ">=":
      return decided(a.low >= b.high, a.high < b.low);
    case "==":
    case "!=": {
      const isSame = a.low === a.high && b.low === b.high && a.low === b.low;
      const isOther = a.high < b.low || b.high < a.low;
      if (!isSame && !isOther) return open;
      return known(isSame === (operator === "=="));
    }
    default:
      return open;
  }
}

/** Functions that are monotonic where they are defined, with their errors in ulps as WGSL bounds them. */
const monotonic: Partial<
  Record<NumberFunction, (x: Bounds) => readonly [ulps: number, absolute?: number] | undefined>
> = {
  floor: () => [0],
  ceil: () => [0],
  trunc: () => [0],
  round: () => [0],
  sqrt: ({ low }) => (low > 0 ? [4] : undefined),
  exp: ({ low, high }) => [4 + 2 * Math.max(Math.abs(low), Math.abs(high))],
  exp2: ({ low, high }) => [4 + 2 * Math.max(Math.abs(low), Math.abs(high))],
  log: ({ low }) => (low >= smallestNormal ? [4, 2 ** -20] : undefined),
  log2: ({ low }) => (low >= smallestNormal ? [4, 2 ** -20] : undefined),
  atan: () => [4096],
};

function floatFunction(name: NumberFunction, operands: readonly Tracked[]): Tracked {
  if (name === "fma") return floatBinary("+", floatBinary("*", operands[0], operands[1]), operands[2]);
  const [a, b] = operands.map(boundsOf);
  if (!a || (operands.length > 1 && !b)) return open;
  const f = numberFunctions[name] as (...x: readonly number[]) => number;
  const errors = monotonic[name];
  if (errors) {
    const bounds = errors(a);
    return bounds ? range(f(a.low), f(a.high), bounds[0], bounds[1]) : open;
  }
  switch (name) {
    case "min":
      return range(Math.min(a.low, b!.low), Math.min(a.high, b!.high), 0);
    case "max":
      return range(Math.max(a.low, b!.low), Math.max(a.high, b!.high), 0);
    case "abs": {
      const size = Math.max(Math.abs(a.low), Math.abs(a.high));
      return range(a.low <= 0 && a.high >= 0 ? 0 : Math.min(Math.abs(a.low), Math.abs(a.high)), size, 0);
    }
    case "sign":
      return Math.sign(a.low) === Math.sign(a.high) && a.low * a.high !== 0
        ? range(f(a.low), f(a.low), 0)
        : range(-1, 1, 0);
    case "sin":
    case "cos":
      return a.low >= -Math.PI && a.high <= Math.PI
        ? range(f(a.low) - (a.high - a.low), f(a.low) + (a.high - a.low), 0, 2 ** -11)
        : open;
    default:
      return open;
  }
}

export const tracked: Algebra<Tracked> = {
  literal: known,
  share: (value) => value,
  binary(operator, scalar, a, b) {
    if (isFloat(scalar)) return floatBinary(operator, a, b);
    const [x, y] = [exactly(a), exactly(b)];
    if (
      scalar === "bool" &&
      (operator === "&" || operator === "&&" || operator === "|" || operator === "||")
    ) {
      const decides = operator.startsWith("|");
      if (x === decides || y === decides) return known(decides);
    }
    return x === undefined || y === undefined ? open : known(binaryScalar(operator, scalar, x, y));
  },
  apply(name, scalar, ...operands) {
    if (isFloat(scalar)) return floatFunction(name, operands);
    const values = operands.map(exactly);
    if (values.some((value) => value === undefined)) return open;
    const f = numberFunctions[name] as (...x: readonly number[]) => number;
    return known(rounded(scalar, f(...values.map(Number))));
  },
  test(name, _, x) {
    if (x.kind === "range") return known(name === "isFinite");
    return x.kind === "open" ? open : known(floatTests[name](Number(x.value)));
  },
  select(scalar, otherwise, value, condition) {
    if (condition.kind === "known") return condition.value ? value : otherwise;
    if (!isFloat(scalar)) return open;
    const [a, b] = [boundsOf(otherwise), boundsOf(value)];
    return a && b ? { kind: "range", low: Math.min(a.low, b.low), high: Math.max(a.high, b.high) } : open;
  },
};

export function trackedUnary(operator: "-" | "!" | "~", scalar: Scalar, x: Tracked): Tracked {
  if (!isFloat(scalar)) return x.kind === "known" ? known(unaryScalar(operator, scalar, x.value)) : open;
  const bounds = boundsOf(x);
  return bounds ? range(-bounds.high, -bounds.low, 0) : open;
}

export function trackedConvert(from: Scalar, to: Scalar, x: Tracked): Tracked {
  if (!isFloat(from)) {
    const value = exactly(x);
    if (value === undefined) return open;
    const made = Number(convertScalar(from, to, value));
    if (!isFloat(to)) return known(convertScalar(from, to, value));
    // Conversions of integers that f32 does not have may round either way.
    return Math.abs(made) < 2 ** 24 ? known(made) : range(made, made, 1);
  }
  if (isFloat(to)) return x;
  // The bits of NaN and infinities are kept where they are just moved, and conversions look at the bits.
  if (x.kind === "known" && !isTiny(Number(x.value))) return known(convertScalar(from, to, x.value));
  const bounds = boundsOf(x);
  if (!bounds) return open;
  if (to === "bool") return bounds.low > 0 || bounds.high < 0 ? known(true) : open;
  const [low, high] = [convertScalar(from, to, bounds.low), convertScalar(from, to, bounds.high)];
  return low === high ? known(low) : open;
}

const isTiny = (value: number): boolean => value !== 0 && Math.abs(value) < smallestNormal;

export function trackedBitcast(from: Scalar, to: Scalar, x: Tracked): Tracked {
  if (x.kind !== "known") return open;
  const value = Number(x.value);
  // Bits of NaN, and of subnormals and −0, may be lost on the way.
  const isPlain = (float: number) => Number.isFinite(float) && !isTiny(float) && !Object.is(float, -0);
  if (from === "f32") return to === "f32" ? x : isPlain(value) ? known(bitcastScalar(from, to, value)) : open;
  const made = bitcastScalar(from, to, value);
  return to === "f32" && Number.isNaN(made) ? open : known(made);
}
