/**
 * Makers of typed expressions and statements for front ends. Each takes the place in a text as its last argument, and
 * throws a KernelError where the parts do not fit.
 */
import type { Span } from "../core/errors.ts";
import { counted, kernelError } from "./errors.ts";
import type * as ir from "./ir.ts";
import { loadType } from "./loads.ts";
import { isSameType, type Scalar, type ScalarType, type Type, typeText, u32, vectorOf } from "./types.ts";
import {
  binaryType,
  builtinType,
  checkBitcast,
  checkConstruct,
  checkConvert,
  indexType,
  memberType,
  swizzleType,
  unaryType,
} from "./typing.ts";

/** The literal that a number or boolean is in a type: rounded to f32; undefined where the type does not have it. */
export function literalValue(value: number | boolean, scalar: Scalar): number | boolean | undefined {
  if (scalar === "bool" || typeof value === "boolean") {
    return scalar === "bool" && typeof value === "boolean" ? value : undefined;
  }
  if (scalar === "f32" || scalar === "f64") {
    const rounded = scalar === "f32" ? Math.fround(value) : value;
    return Number.isFinite(rounded) ? rounded : undefined;
  }
  if (!Number.isInteger(value)) return undefined;
  const [first, last] = scalar === "i32" ? [-(2 ** 31), 2 ** 31 - 1] : [0, 2 ** 32 - 1];
  return value >= first && value <= last ? value + 0 : undefined;
}

export function literal(value: number | boolean, type: ScalarType, span?: Span): ir.Literal {
  const held = literalValue(value, type.scalar);
  if (held !== undefined) return { kind: "literal", type, value: held, span };
  throw kernelError(`${value} is not a value of ${typeText(type)}.`, rangeText[type.scalar], span);
}

const rangeText: Readonly<Record<Scalar, string>> = {
  bool: "Booleans are true and false.",
  i32: "Its values are the integers from -2147483648 to 2147483647.",
  u32: "Its values are the integers from 0 to 4294967295.",
  f32: "It holds finite numbers below 3.4028235e38.",
  f64: "It holds finite numbers below 1.7976931348623157e308.",
};

export const constantVariable = (name: string, type: Type): ir.Variable => ({ name, type, isMutable: false });
export const mutableVariable = (name: string, type: Type): ir.Variable => ({ name, type, isMutable: true });

export const read = (variable: ir.Variable, span?: Span): ir.VariableRead => ({
  kind: "variable",
  type: variable.type,
  variable,
  span,
});

export const constant = (name: string, type: Type, span?: Span): ir.ConstantRead => ({
  kind: "constant",
  type,
  name,
  span,
});

export const position = (which: ir.PositionRead["which"], span?: Span): ir.PositionRead => ({
  kind: "position",
  type: which === "at" ? vectorOf("u32", 3) : u32,
  which,
  span,
});

export const unary = (operator: ir.UnaryOperator, operand: ir.Expression, span?: Span): ir.Unary => ({
  kind: "unary",
  type: unaryType(operator, operand.type, span),
  operator,
  operand,
  span,
});

export const binary = (
  operator: ir.BinaryOperator,
  left: ir.Expression,
  right: ir.Expression,
  span?: Span,
): ir.Binary => ({
  kind: "binary",
  type: binaryType(operator, left.type, right.type, span),
  operator,
  left,
  right,
  span,
});

const typesOf = (expressions: readonly ir.Expression[]): Type[] => expressions.map(({ type }) => type);

/** A call of a built-in function. */
export const builtin = (name: string, values: readonly ir.Expression[], span?: Span): ir.BuiltinCall => ({
  kind: "builtin",
  type: builtinType(name, typesOf(values), span),
  name,
  arguments: values,
  span,
});

/** A call of a function that the kernel declares. */
export function call(
  callee: ir.KernelFunction,
  values: readonly ir.Expression[],
  span?: Span,
): ir.FunctionCall {
  checkArguments(callee, values, span);
  return { kind: "call", type: callee.result, callee, arguments: values, span };
}

export function checkArguments(
  { name, parameters }: Pick<ir.KernelFunction, "name" | "parameters">,
  values: readonly ir.Expression[],
  span?: Span,
): void {
  const list = parameters.map((parameter) => `${parameter.name}: ${typeText(parameter.type)}`).join(", ");
  if (values.length !== parameters.length) {
    throw kernelError(
      `“${name}” is called with ${counted(values.length, "argument")}.`,
      `It is ${name}(${list}).`,
      span,
    );
  }
  values.forEach((value, i) => {
    if (isSameType(value.type, parameters[i].type)) return;
    throw kernelError(
      `The argument “${parameters[i].name}” of “${name}” cannot be ${typeText(value.type)}.`,
      `It is ${name}(${list}).`,
      value.span ?? span,
    );
  });
}

export function construct(type: Type, parts: readonly ir.Expression[], span?: Span): ir.Construct {
  checkConstruct(type, typesOf(parts), span);
  return { kind: "construct", type, arguments: parts, span };
}

/** The operand itself where it is of the type already. */
export function convert(type: Type, operand: ir.Expression, span?: Span): ir.Expression {
  checkConvert(operand.type, type, span);
  return isSameType(operand.type, type) ? operand : { kind: "convert", type, operand, span };
}

/** The operand itself where it is of the type already. */
export function bitcast(type: Type, operand: ir.Expression, span?: Span): ir.Expression {
  checkBitcast(operand.type, type, span);
  return isSameType(operand.type, type) ? operand : { kind: "bitcast", type, operand, span };
}

/** Components by their letters: xyzw or rgba, not both. */
export function swizzle(operand: ir.Expression, letters: string, span?: Span): ir.Swizzle {
  const set = ["xyzw", "rgba"].find((known) => [...letters].every((letter) => known.includes(letter)));
  if (set === undefined || operand.type.kind !== "vector") {
    throw kernelError(
      `${typeText(operand.type)} has no member “${letters}”.`,
      operand.type.kind === "vector"
        ? "Components are x, y, z and w, or r, g, b and a, without mixing."
        : "Only structs have members, and vectors components.",
      span,
    );
  }
  const components = [...letters].map((letter) => set.indexOf(letter) as 0 | 1 | 2 | 3);
  return {
    kind: "swizzle",
    type: swizzleType(operand.type, components, span),
    operand,
    components,
    span,
  };
}

/** The value of an expression that is a number itself. */
export const literalIndex = (expression: ir.Expression): number | undefined =>
  expression.kind === "literal" && typeof expression.value === "number" ? expression.value : undefined;

export const index = (operand: ir.Expression, at: ir.Expression, span?: Span): ir.Index => ({
  kind: "index",
  type: indexType(operand.type, at.type, literalIndex(at), span),
  operand,
  index: at,
  span,
});

export const member = (operand: ir.Expression, name: string, span?: Span): ir.Member => ({
  kind: "member",
  type: memberType(operand.type, name, span),
  operand,
  member: name,
  span,
});

/** An element of an input, at indices that its access allows. */
export const load = (
  name: string,
  input: ir.KernelInput,
  indices: readonly ir.Expression[],
  span?: Span,
): ir.Load => ({ kind: "load", type: loadType(name, input, indices, span), input: name, indices, span });
