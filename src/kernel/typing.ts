/**
 * The types of expressions: one rule for each kind of node, used by the kernel text, by the builder and by the checker.
 * All throw a KernelError where operands do not fit.
 */
import type { Span } from "../core/errors.ts";
import { nearestName } from "../core/names.ts";
import { builtins, overloadsOf, signatureText } from "./builtins.ts";
import { counted, kernelError } from "./errors.ts";
import type { BinaryOperator, UnaryOperator } from "./ir.ts";
import {
  bool,
  type Extent,
  elementType,
  isSameType,
  matrixOf,
  type Scalar,
  scalarOf,
  type Type,
  typeText,
  vectorOf,
} from "./types.ts";

const isNumber = (scalar: Scalar | undefined): boolean => scalar !== undefined && scalar !== "bool";
const isFloat = (scalar: Scalar | undefined): boolean => scalar === "f32" || scalar === "f64";
const isInteger = (scalar: Scalar | undefined): boolean => scalar === "i32" || scalar === "u32";

/** The type in the shape of `type`, with other scalars. */
function withScalar(type: Type, scalar: Scalar): Type {
  return type.kind === "vector" ? vectorOf(scalar, type.size) : elementType(scalar);
}

const isScalarOrVector = (type: Type): boolean => type.kind === "scalar" || type.kind === "vector";

export function unaryType(operator: UnaryOperator, operand: Type, span?: Span): Type {
  const scalar = scalarOf(operand);
  const fits =
    isScalarOrVector(operand) &&
    (operator === "!"
      ? scalar === "bool"
      : operator === "~"
        ? isInteger(scalar)
        : isFloat(scalar) || scalar === "i32");
  if (fits) return operand;
  const takes = { "!": "bool", "~": "i32 and u32", "-": "f32, f64 and i32" }[operator];
  throw kernelError(
    `\`${operator}\` is not defined for ${typeText(operand)}.`,
    `It takes scalars and vectors of ${takes}.`,
    span,
  );
}

const arithmetic: ReadonlySet<BinaryOperator> = new Set(["+", "-", "*", "/", "%"]);
const equalities: ReadonlySet<BinaryOperator> = new Set(["==", "!="]);
const orders: ReadonlySet<BinaryOperator> = new Set(["<", "<=", ">", ">="]);

export function binaryType(operator: BinaryOperator, left: Type, right: Type, span?: Span): Type {
  const type =
    left.kind === "matrix" || right.kind === "matrix"
      ? matrixType(operator, left, right)
      : componentType(operator, left, right);
  if (type) return type;
  throw kernelError(
    `\`${operator}\` is not defined for ${typeText(left)} and ${typeText(right)}.`,
    binaryRemedy(operator, left, right),
    span,
  );
}

function componentType(operator: BinaryOperator, left: Type, right: Type): Type | undefined {
  if (!isScalarOrVector(left) || !isScalarOrVector(right)) return undefined;
  const scalar = scalarOf(left);
  if (operator === "<<" || operator === ">>") {
    return isInteger(scalar) && isSameType(right, withScalar(left, "u32")) ? left : undefined;
  }
  if (scalar !== scalarOf(right)) return undefined;
  if (arithmetic.has(operator)) {
    if (!isNumber(scalar)) return undefined;
    if (left.kind === "scalar") return right;
    return right.kind === "scalar" || isSameType(left, right) ? left : undefined;
  }
  if (!isSameType(left, right)) return undefined;
  if (equalities.has(operator)) return withScalar(left, "bool");
  if (orders.has(operator)) return isNumber(scalar) ? withScalar(left, "bool") : undefined;
  if (operator === "&&" || operator === "||") return isSameType(left, bool) ? bool : undefined;
  if (operator === "^") return isInteger(scalar) ? left : undefined;
  return isInteger(scalar) || scalar === "bool" ? left : undefined;
}

function matrixType(operator: BinaryOperator, left: Type, right: Type): Type | undefined {
  if (scalarOf(left) !== scalarOf(right)) return undefined;
  if (operator === "+" || operator === "-") return isSameType(left, right) ? left : undefined;
  if (operator !== "*") return undefined;
  if (left.kind === "scalar") return right;
  if (right.kind === "scalar") return left;
  if (left.kind === "matrix" && right.kind === "vector") {
    return left.columns === right.size ? vectorOf(left.scalar, left.rows) : undefined;
  }
  if (left.kind === "vector" && right.kind === "matrix") {
    return left.size === right.rows ? vectorOf(right.scalar, right.columns) : undefined;
  }
  if (left.kind !== "matrix" || right.kind !== "matrix" || left.columns !== right.rows) return undefined;
  return matrixOf(left.scalar, right.columns, left.rows);
}

function binaryRemedy(operator: BinaryOperator, left: Type, right: Type): string {
  const [a, b] = [scalarOf(left), scalarOf(right)];
  if (operator === "<<" || operator === ">>") {
    return "It shifts i32 and u32 by u32, by as many as the left operand has components.";
  }
  if (operator === "&&" || operator === "||") return "It takes two bools.";
  if (isNumber(a) && isNumber(b) && a !== b)
    return `Convert one of them, as in ${typeText(withScalar(right, a!))}(…).`;
  if (left.kind === "vector" && right.kind === "vector" && left.size !== right.size) {
    return "Vectors need the same number of components.";
  }
  if (operator === "&" || operator === "|") return "It takes i32, u32 and bool.";
  if (operator === "^") return "It takes i32 and u32.";
  return arithmetic.has(operator) || orders.has(operator)
    ? "It takes numbers of one type."
    : "It takes two scalars or vectors of one type.";
}

export function builtinType(name: string, types: readonly Type[], span?: Span): Type {
  const builtin = builtins.get(name);
  if (!builtin) {
    const near = nearestName(name, builtins.keys());
    throw kernelError(
      `There is no function “${name}”.`,
      near ? `Did you mean “${near}”?` : "docs/kernels.md lists those there are.",
      span,
    );
  }
  const overload = overloadsOf(builtin).find(
    ({ parameters }) =>
      parameters.length === types.length && parameters.every((type, i) => isSameType(type, types[i])),
  );
  if (overload) return overload.result;
  throw kernelError(
    `“${name}” does not take ${types.length > 0 ? `(${types.map(typeText).join(", ")})` : "no arguments"}.`,
    `It is ${signatureText(builtin)}.`,
    span,
  );
}

/** Throws where a value of the type cannot be made of such parts. */
export function checkConstruct(type: Type, parts: readonly Type[], span?: Span): void {
  if (parts.length === 0 || isPartsOf(type, parts)) return;
  throw kernelError(
    `${typeText(type)} cannot be made of (${parts.map(typeText).join(", ")}).`,
    constructRemedy(type),
    span,
  );
}

function isPartsOf(type: Type, parts: readonly Type[]): boolean {
  const scalarParts = parts.every((part) => isScalarOrVector(part) && scalarOf(part) === scalarOf(type));
  const areAll = (part: Type, count: number) =>
    parts.length === count && parts.every((found) => isSameType(found, part));
  switch (type.kind) {
    case "scalar":
      return false;
    case "vector":
      if (!scalarParts) return false;
      if (parts.length === 1 && parts[0].kind === "scalar") return true;
      return (
        parts.reduce((sum, part) => sum + (part.kind === "vector" ? part.size : 1), 0) === type.size &&
        !(parts.length === 1)
      );
    case "matrix":
      return (
        areAll(vectorOf(type.scalar, type.rows), type.columns) ||
        areAll(elementType(type.scalar), type.columns * type.rows)
      );
    case "array":
      return areAll(type.element, type.length);
    case "struct":
      return (
        parts.length === type.members.length &&
        type.members.every((member, i) => isSameType(member.type, parts[i]))
      );
  }
}

function constructRemedy(type: Type): string {
  switch (type.kind) {
    case "scalar":
      return "A scalar is a literal, or converted from another one.";
    case "vector":
      return `It takes one ${type.scalar}, or scalars and vectors of ${type.scalar} with ${type.size} components in all.`;
    case "matrix":
      return `It takes ${type.columns} columns of ${typeText(vectorOf(type.scalar, type.rows))}, or ${type.columns * type.rows} scalars.`;
    case "array":
      return `It takes ${counted(type.length, "element")} of ${typeText(type.element)}.`;
    case "struct":
      return `It takes ${type.members.map((member) => `${member.name}: ${typeText(member.type)}`).join(", ")}.`;
  }
}

/** Throws where numbers or booleans of one type do not convert to the other. */
export function checkConvert(from: Type, to: Type, span?: Span): void {
  if (isScalarOrVector(from) && isScalarOrVector(to) && isSameType(withScalar(from, scalarOf(to)!), to))
    return;
  throw kernelError(
    `${typeText(from)} cannot be converted to ${typeText(to)}.`,
    "Scalars convert to scalars, and vectors to vectors of as many components.",
    span,
  );
}

/** Throws where one type's bits are not another's. */
export function checkBitcast(from: Type, to: Type, span?: Span): void {
  const bits = ["f32", "i32", "u32"] as const;
  const isBits = (type: Type) => isScalarOrVector(type) && bits.some((scalar) => scalar === scalarOf(type));
  if (isBits(from) && isBits(to) && isSameType(withScalar(from, scalarOf(to)!), to)) return;
  throw kernelError(
    `The bits of ${typeText(from)} cannot be taken as ${typeText(to)}.`,
    "bitcast goes between f32, i32 and u32, and vectors of them with as many components.",
    span,
  );
}

export function swizzleType(operand: Type, components: readonly number[], span?: Span): Type {
  if (operand.kind !== "vector") {
    throw kernelError(
      `${typeText(operand)} has no components.`,
      "Vectors have x, y, z and w, or r, g, b and a.",
      span,
    );
  }
  const outside = components.find((component) => component >= operand.size);
  if (outside !== undefined) {
    throw kernelError(
      `${typeText(operand)} has no component “${"xyzw"[outside]}”.`,
      `It has ${"xyzw".slice(0, operand.size).split("").join(", ")}.`,
      span,
    );
  }
  if (components.length < 1 || components.length > 4) {
    throw kernelError(
      `${counted(components.length, "component")} make no vector.`,
      "Take one to four components.",
      span,
    );
  }
  return elementType(operand.scalar, components.length as 1 | Extent);
}

/** The type of a part at an index; `literal` is the index where it is known. */
export function indexType(operand: Type, index: Type, literal?: number, span?: Span): Type {
  if (index.kind !== "scalar" || !isInteger(index.scalar)) {
    throw kernelError(`An index cannot be ${typeText(index)}.`, "Indices are i32 or u32.", span);
  }
  if (operand.kind !== "vector" && operand.kind !== "matrix" && operand.kind !== "array") {
    throw kernelError(
      `${typeText(operand)} has no elements.`,
      "Vectors, matrices and arrays have indices.",
      span,
    );
  }
  const length =
    operand.kind === "vector" ? operand.size : operand.kind === "matrix" ? operand.columns : operand.length;
  if (literal !== undefined && (literal < 0 || literal >= length)) {
    throw kernelError(
      `${typeText(operand)} has no element ${literal}.`,
      `Its indices are 0 to ${length - 1}.`,
      span,
    );
  }
  if (operand.kind === "vector") return elementType(operand.scalar);
  return operand.kind === "matrix" ? vectorOf(operand.scalar, operand.rows) : operand.element;
}

export function memberType(operand: Type, member: string, span?: Span): Type {
  if (operand.kind !== "struct") {
    throw kernelError(`${typeText(operand)} has no member “${member}”.`, "Only structs have members.", span);
  }
  const found = operand.members.find(({ name }) => name === member);
  if (found) return found.type;
  const names = operand.members.map(({ name }) => name);
  const near = nearestName(member, names);
  throw kernelError(
    `${operand.name} has no member “${member}”.`,
    near ? `Did you mean “${near}”?` : `It has ${names.join(", ")}.`,
    span,
  );
}
