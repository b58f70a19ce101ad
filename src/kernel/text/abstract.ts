/**
 * Numbers without a type, as in WGSL: `1` fits every number type, `1.0` every float type, and what is made of such
 * numbers only has no type either until it meets something that has one.
 */
import type { Span } from "../../core/errors.ts";
import { binary, literal, unary } from "../build.ts";
import { kernelError } from "../errors.ts";
import type { BinaryOperator, Expression } from "../ir.ts";
import {
  elementType,
  isSameType,
  type Scalar,
  type ScalarType,
  scalarOf,
  type Type,
  typeText,
} from "../types.ts";

export interface Abstract {
  readonly kind: "abstract";
  readonly isFloat: boolean;
  /** Of a scalar. */
  readonly value: number | undefined;
  readonly span: Span;
  /** The same in a type of numbers. */
  as(scalar: Scalar): Expression;
}

export type Lowered = Expression | Abstract;

export function abstractNumber(value: number, isFloat: boolean, span: Span): Abstract {
  return {
    kind: "abstract",
    isFloat,
    value,
    span,
    as: (scalar) => literal(value, elementType(scalar) as ScalarType, span),
  };
}

/** What consists of abstract numbers, made anew for each type that is asked for. */
export function abstractWhole(isFloat: boolean, span: Span, as: Abstract["as"]): Abstract {
  return { kind: "abstract", isFloat, value: undefined, span, as };
}

const defaultScalar = (isFloat: boolean): Scalar => (isFloat ? "f32" : "i32");

/** In the scalar, if it is a number's and holds it; abstract floats do not become integers. */
export function settleAs(lowered: Lowered, scalar: Scalar): Expression {
  if (lowered.kind !== "abstract") return lowered;
  const { isFloat, span } = lowered;
  if (scalar === "bool") return settle(lowered);
  if (isFloat && (scalar === "i32" || scalar === "u32")) {
    throw kernelError(
      lowered.value === undefined
        ? `Floats do not fit ${scalar}.`
        : `The float ${lowered.value} is not ${scalar === "i32" ? "an" : "a"} ${scalar}.`,
      `Write an integer, or convert it: ${scalar}(…).`,
      span,
    );
  }
  return lowered.as(scalar);
}

/** In the type that WGSL gives to numbers without one: f32 for floats, i32 for integers. */
export const settle = (lowered: Lowered): Expression =>
  lowered.kind === "abstract" ? lowered.as(defaultScalar(lowered.isFloat)) : lowered;

/** All in the scalar of those among them that have a type, or in the default one. */
export function settleTogether(values: readonly Lowered[]): Expression[] {
  const typed = values.find((value) => value.kind !== "abstract" && scalarOf(value.type) !== undefined);
  const isFloat = values.some((value) => value.kind === "abstract" && value.isFloat);
  const scalar = typed && typed.kind !== "abstract" ? scalarOf(typed.type)! : defaultScalar(isFloat);
  return values.map((value) => settleAs(value, scalar));
}

/** The value in a type, where it has it or fits it; `what` says whose type it is. */
export function settleTo(lowered: Lowered, type: Type, what: string): Expression {
  const scalar = scalarOf(type);
  const value = scalar ? settleAs(lowered, scalar) : settle(lowered);
  if (isSameType(value.type, type)) return value;
  throw kernelError(
    `${what} is ${typeText(type)}, and the value is ${typeText(value.type)}.`,
    value.type.kind === type.kind && type.kind !== "struct" ? `Convert it: ${typeText(type)}(…).` : "",
    lowered.span,
  );
}

export function negate(operand: Abstract, span: Span): Abstract {
  if (operand.value !== undefined) {
    const value = operand.isFloat ? -operand.value : 0 - operand.value;
    return abstractNumber(value, operand.isFloat, span);
  }
  return abstractWhole(operand.isFloat, span, (scalar) => unary("-", operand.as(scalar), span));
}

const comparisons: ReadonlySet<string> = new Set(["==", "!=", "<", "<=", ">", ">=", "&&", "||"]);

/** An operation of two values of which one or both may be abstract. */
export function combine(operator: BinaryOperator, left: Lowered, right: Lowered, span: Span): Lowered {
  const isShift = operator === "<<" || operator === ">>";
  if (left.kind !== "abstract" || right.kind !== "abstract" || comparisons.has(operator)) {
    const [a, b] = isShift ? [settle(left), settleAs(right, "u32")] : settleTogether([left, right]);
    return binary(operator, a, b, span);
  }
  const isFloat = left.isFloat || right.isFloat;
  if (left.value === undefined || right.value === undefined) {
    return abstractWhole(isFloat, span, (scalar) =>
      binary(operator, left.as(scalar), isShift ? right.as("u32") : right.as(scalar), span),
    );
  }
  if (!isFloat) return abstractNumber(combineIntegers(operator, left.value, right.value, span), false, span);
  const value = floatOperations[operator]?.(left.value, right.value);
  if (value === undefined) return binary(operator, settle(left), settle(right), span);
  return abstractNumber(value, true, span);
}

const floatOperations: Partial<Record<BinaryOperator, (a: number, b: number) => number>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "%": (a, b) => a % b,
};

const integerOperations: Partial<Record<BinaryOperator, (a: bigint, b: bigint) => bigint>> = {
  "+": (a, b) => a + b,
  "-": (a, b) => a - b,
  "*": (a, b) => a * b,
  "/": (a, b) => a / b,
  "%": (a, b) => a % b,
  "&": (a, b) => a & b,
  "|": (a, b) => a | b,
  "^": (a, b) => a ^ b,
  "<<": (a, b) => a << b,
  ">>": (a, b) => a >> b,
};

function combineIntegers(operator: BinaryOperator, a: number, b: number, span: Span): number {
  if ((operator === "/" || operator === "%") && b === 0) {
    throw kernelError(`${a} ${operator} 0 has no value.`, "Divide by another number.", span);
  }
  if ((operator === "<<" || operator === ">>") && (b < 0 || b > 63)) {
    throw kernelError(`${a} cannot be shifted by ${b}.`, "Shift by 0 to 63.", span);
  }
  const value = Number(integerOperations[operator]!(BigInt(a), BigInt(b)));
  if (Number.isSafeInteger(value)) return value;
  throw kernelError(`The integer ${value} is too large.`, "Integers without a type go up to 2^53.", span);
}
