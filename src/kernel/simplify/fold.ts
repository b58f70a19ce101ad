/**
 * The value of operations on literals, where every target has the same: integers wrap around; floats are rounded as
 * IEEE 754 does, and stay as they are written where a GPU may flush, approximate or overflow.
 */
import { literalValue } from "../build.ts";
import type { BinaryOperator, Expression, Literal } from "../ir.ts";
import type { Scalar, ScalarType, Type } from "../types.ts";

type Value = number | boolean;

const smallestNormal = 2 ** -126;

/** Neither NaN nor infinite, no subnormal f32, which GPUs may flush, and no −0, whose sign they may lose. */
const isSafe = (value: number): boolean =>
  Number.isFinite(value) &&
  !Object.is(value, -0) &&
  (value === 0 || (Math.abs(value) >= smallestNormal && Math.abs(value) < 2 ** 128));

const toInteger = (value: number, scalar: Scalar): number => (scalar === "u32" ? value >>> 0 : value | 0);

function made(value: Value | undefined, type: Type, span: Expression["span"]): Literal | undefined {
  if (value === undefined || type.kind !== "scalar") return undefined;
  if (typeof value === "number" && (type.scalar === "f32" || type.scalar === "f64") && !isSafe(value))
    return undefined;
  const held = literalValue(value, type.scalar);
  return held === undefined ? undefined : { kind: "literal", type, value: held, span };
}

/** The literal that an expression of literals is; undefined where it is not of literals, or targets may differ. */
export function fold(expression: Expression): Literal | undefined {
  const { type, span } = expression;
  switch (expression.kind) {
    case "unary": {
      const { operand, operator } = expression;
      if (operand.kind !== "literal") return undefined;
      return made(foldUnary(operator, operand.value, operand.type.scalar), type, span);
    }
    case "binary": {
      const { left, right, operator } = expression;
      if (left.kind !== "literal" || right.kind !== "literal") return undefined;
      return made(foldBinary(operator, left, right), type, span);
    }
    case "convert":
      return expression.operand.kind === "literal"
        ? made(foldConvert(expression.operand, type), type, span)
        : undefined;
    case "bitcast":
      return expression.operand.kind === "literal"
        ? made(foldBitcast(expression.operand, type), type, span)
        : undefined;
    case "builtin": {
      const values = expression.arguments.map((argument) =>
        argument.kind === "literal" ? argument : undefined,
      );
      const known = values.filter((value) => value !== undefined);
      return known.length === values.length
        ? made(foldBuiltin(expression.name, known), type, span)
        : undefined;
    }
    case "construct":
      return type.kind === "scalar" && expression.arguments.length === 0
        ? { kind: "literal", type, value: type.scalar === "bool" ? false : 0, span }
        : undefined;
    default:
      return undefined;
  }
}

function foldUnary(operator: string, value: Value, scalar: Scalar): Value | undefined {
  if (typeof value === "boolean") return operator === "!" ? !value : undefined;
  if (operator === "~") return toInteger(~value, scalar);
  if (operator !== "-") return undefined;
  return scalar === "i32" ? toInteger(-value, scalar) : -value;
}

function foldBinary(operator: BinaryOperator, left: Literal, right: Literal): Value | undefined {
  const [a, b] = [left.value, right.value];
  if (typeof a === "boolean" || typeof b === "boolean") return foldBooleans(operator, a === true, b === true);
  const { scalar } = left.type;
  if (scalar === "i32" || scalar === "u32") return foldIntegers(operator, a, b, scalar);
  if (!isSafe(a) || !isSafe(b)) return undefined;
  const exact = compare(operator, a, b) ?? foldFloats(operator, a, b);
  if (exact === undefined || (typeof exact === "number" && !isSafe(exact))) return undefined;
  if (scalar === "f32") return typeof exact === "number" ? Math.fround(exact) : exact;
  // Where f64 is computed as f32, the rounded result has to be the same.
  const [rough, other] = [Math.fround(a), Math.fround(b)];
  const single = compare(operator, rough, other) ?? foldFloats(operator, rough, other);
  const isSame =
    typeof exact === "number" && typeof single === "number"
      ? Math.fround(exact) === Math.fround(single)
      : exact === single;
  return isSame ? exact : undefined;
}

function foldBooleans(operator: BinaryOperator, a: boolean, b: boolean): boolean | undefined {
  switch (operator) {
    case "==":
      return a === b;
    case "!=":
      return a !== b;
    case "&":
    case "&&":
      return a && b;
    case "|":
    case "||":
      return a || b;
    default:
      return undefined;
  }
}

function compare(operator: BinaryOperator, a: number, b: number): boolean | undefined {
  switch (operator) {
    case "==":
      return a === b;
    case "!=":
      return a !== b;
    case "<":
      return a < b;
    case "<=":
      return a <= b;
    case ">":
      return a > b;
    case ">=":
      return a >= b;
    default:
      return undefined;
  }
}

/** Quotients only by powers of two, which are exact where division is approximate. */
function foldFloats(operator: BinaryOperator, a: number, b: number): number | undefined {
  switch (operator) {
    case "+":
      return a + b;
    case "-":
      return a - b;
    case "*":
      return a * b;
    case "/":
      return b !== 0 && Number.isInteger(Math.log2(Math.abs(b))) ? a / b : undefined;
    default:
      return undefined;
  }
}

function foldIntegers(operator: BinaryOperator, a: number, b: number, scalar: Scalar): Value | undefined {
  const wrapped = (value: number) => toInteger(value, scalar);
  switch (operator) {
    case "+":
      return wrapped(a + b);
    case "-":
      return wrapped(a - b);
    case "*":
      return wrapped(Math.imul(a, b));
    case "/":
    case "%":
      if (b === 0 || (scalar === "i32" && a === -(2 ** 31) && b === -1)) return undefined;
      return wrapped(operator === "/" ? Math.trunc(a / b) : a % b);
    case "&":
      return wrapped(a & b);
    case "|":
      return wrapped(a | b);
    case "^":
      return wrapped(a ^ b);
    case "<<":
      return b < 32 ? wrapped(a << b) : undefined;
    case ">>":
      return b < 32 ? wrapped(scalar === "u32" ? a >>> b : a >> b) : undefined;
    default:
      return compare(operator, a, b);
  }
}

function foldConvert({ value, type: from }: Literal, to: Type): Value | undefined {
  if (to.kind !== "scalar") return undefined;
  if (to.scalar === "bool") return typeof value === "boolean" ? value : value !== 0;
  if (typeof value === "boolean") return value ? 1 : 0;
  if (to.scalar === "f32" || to.scalar === "f64") {
    const isExact = from.scalar === "f32" || from.scalar === "f64" || Math.fround(value) === value;
    return isExact && isSafe(value) ? value : undefined;
  }
  if (from.scalar === "i32" || from.scalar === "u32") return toInteger(value, to.scalar);
  const [whole, single] = [Math.trunc(value), Math.trunc(Math.fround(value))];
  return whole === single && literalValue(whole, to.scalar) !== undefined ? whole + 0 : undefined;
}

const words = new DataView(new ArrayBuffer(4));

function foldBitcast({ value, type: from }: Literal, to: Type): Value | undefined {
  if (to.kind !== "scalar" || typeof value === "boolean") return undefined;
  if (from.scalar === "f32") {
    if (!isSafe(value)) return undefined;
    words.setFloat32(0, value);
  } else words.setUint32(0, value >>> 0);
  if (to.scalar === "f32") return words.getFloat32(0);
  return to.scalar === "u32" ? words.getUint32(0) : words.getInt32(0);
}

function foldBuiltin(name: string, values: readonly Literal[]): Value | undefined {
  const numbers = values.map(({ value }) => value).filter((value) => typeof value === "number");
  if (numbers.length !== values.length) return undefined;
  const { scalar } = values[0].type as ScalarType;
  const isInteger = scalar === "i32" || scalar === "u32";
  if (!isInteger && !numbers.every(isSafe)) return undefined;
  const [a, b, c] = numbers;
  switch (name) {
    case "abs":
      return isInteger ? toInteger(Math.abs(a), scalar) : Math.abs(a);
    case "min":
      return Math.min(a, b);
    case "max":
      return Math.max(a, b);
    case "clamp":
      return b <= c ? Math.min(Math.max(a, b), c) : undefined;
    case "sign":
      return Math.sign(a);
    case "floor":
    case "ceil":
    case "trunc":
      return scalar === "f32" ? Math[name](a) : undefined;
    case "isNan":
    case "isInf":
      return false;
    case "isFinite":
      return true;
    default:
      return undefined;
  }
}
