/** Shorter expressions with the same values, NaN, infinities and signs of zero included. */
import { swizzle } from "../build.ts";
import type { Binary, BuiltinCall, Expression, Index, Literal, Swizzle } from "../ir.ts";
import { elementType, isSameType, scalarOf, type Type } from "../types.ts";
import { childrenOf, withChildren } from "../walk.ts";
import { fold } from "./fold.ts";

/** `replace` is asked for each node whose parts are simplified already; what it returns is taken as it is. */
export function simplifyExpression(
  expression: Expression,
  replace: (node: Expression) => Expression | undefined = () => undefined,
): Expression {
  const parts = childrenOf(expression).map((child) => simplifyExpression(child, replace));
  const node = withChildren(expression, parts);
  const replaced = replace(node);
  if (replaced) return replaced;
  return fold(node) ?? shorten(node) ?? node;
}

function shorten(node: Expression): Expression | undefined {
  switch (node.kind) {
    case "unary": {
      const { operand, operator } = node;
      const isTwice = operand.kind === "unary" && operand.operator === operator;
      return isTwice ? operand.operand : undefined;
    }
    case "binary":
      return shortenBinary(node);
    case "builtin":
      return shortenBuiltin(node);
    case "swizzle":
      return shortenSwizzle(node);
    case "index":
      return shortenIndex(node);
    case "member": {
      const { operand, member } = node;
      if (operand.kind !== "construct" || operand.type.kind !== "struct") return undefined;
      return operand.arguments[operand.type.members.findIndex(({ name }) => name === member)];
    }
    default:
      return undefined;
  }
}

const isLiteral = (expression: Expression, value: number | boolean): boolean =>
  expression.kind === "literal" && Object.is(expression.value, value);

/** Zero in the type, of integers, whose zero times anything is zero. */
const zero = (node: Binary): Expression => ({
  kind: "construct",
  type: node.type,
  arguments: [],
  span: node.span,
});

function shortenBinary(node: Binary): Expression | undefined {
  const { operator, left, right, type } = node;
  const scalar = scalarOf(left.type);
  const isInteger = scalar === "i32" || scalar === "u32";
  const asType = (side: Expression) => (isSameType(side.type, type) ? side : undefined);
  switch (operator) {
    case "*":
      if (isLiteral(right, 1)) return asType(left);
      if (isLiteral(left, 1)) return asType(right);
      return isInteger && (isLiteral(left, 0) || isLiteral(right, 0))
        ? (fold(zero(node)) ?? zero(node))
        : undefined;
    case "/":
      return isLiteral(right, 1) ? asType(left) : undefined;
    case "-":
      return isLiteral(right, 0) ? asType(left) : undefined;
    case "+":
    case "|":
    case "^":
      if (scalar === "bool") return shortenLogic(node);
      if (!isInteger) return undefined;
      if (isLiteral(right, 0)) return asType(left);
      return isLiteral(left, 0) ? asType(right) : undefined;
    case "<<":
    case ">>":
      return isLiteral(right, 0) ? left : undefined;
    case "&":
      return scalar === "bool" ? shortenLogic(node) : undefined;
    case "&&":
    case "||":
      return shortenLogic(node);
    case "==":
    case "!=":
      if (isLiteral(right, operator === "==")) return asType(left);
      return isLiteral(left, operator === "==") ? asType(right) : undefined;
    default:
      return undefined;
  }
}

/** Of bools: `true && x` is x, `false && x` is false, and the other way round for “or”. */
function shortenLogic({ operator, left, right }: Binary): Expression | undefined {
  const isAnd = operator === "&&" || operator === "&";
  if (!isAnd && operator !== "||" && operator !== "|") return undefined;
  if (isLiteral(left, isAnd)) return right;
  if (isLiteral(right, isAnd)) return left;
  if (isLiteral(left, !isAnd)) return left;
  return isLiteral(right, !isAnd) ? right : undefined;
}

function shortenBuiltin({ name, arguments: values, type }: BuiltinCall): Expression | undefined {
  if (name !== "select") return undefined;
  const [otherwise, value, condition] = values;
  if (condition.kind !== "literal") return undefined;
  const chosen = condition.value === true ? value : otherwise;
  return isSameType(chosen.type, type) ? chosen : undefined;
}

/** The scalar that a component of a vector is, where the vector is made on the spot. */
function componentOf(operand: Expression, component: number): Expression | undefined {
  if (operand.kind !== "construct" || operand.type.kind !== "vector") return undefined;
  const scalar = elementType(operand.type.scalar);
  if (operand.arguments.length === 0) return fold({ kind: "construct", type: scalar, arguments: [] });
  if (operand.arguments.length === 1) return operand.arguments[0];
  let first = 0;
  for (const part of operand.arguments) {
    const size = part.type.kind === "vector" ? part.type.size : 1;
    if (component < first + size) {
      return part.type.kind === "vector" ? shortenedSwizzle(swizzle(part, "xyzw"[component - first])) : part;
    }
    first += size;
  }
  return undefined;
}

const shortenedSwizzle = (node: Swizzle): Expression => shortenSwizzle(node) ?? node;

function shortenSwizzle(node: Swizzle): Expression | undefined {
  const { operand, components, type, span } = node;
  if (operand.kind === "swizzle") {
    const inner = components.map((component) => operand.components[component]);
    return shortenedSwizzle({ kind: "swizzle", type, operand: operand.operand, components: inner, span });
  }
  const isWhole = components.every((component, i) => component === i) && isSameType(type, operand.type);
  if (isWhole) return operand;
  if (components.length === 1) return componentOf(operand, components[0]);
  const parts = components.map((component) => componentOf(operand, component));
  const found = parts.filter((part) => part !== undefined);
  if (found.length !== parts.length) return undefined;
  // Values that more than one component has would be computed as often.
  const isFree = found.every(({ kind }) => kind === "literal" || kind === "variable" || kind === "constant");
  const isOnce = new Set(components).size === components.length && found.length > 1 && !isSplat(operand);
  return isFree || isOnce ? { kind: "construct", type, arguments: found, span } : undefined;
}

const isSplat = (operand: Expression): boolean =>
  operand.kind === "construct" &&
  (operand.arguments.length === 1 || operand.arguments.some(({ type }) => type.kind === "vector"));

function shortenIndex({ operand, index, type, span }: Index): Expression | undefined {
  if (index.kind !== "literal") return undefined;
  const at = Number(clampedIndex(operand.type, index).value);
  if (operand.type.kind === "vector") {
    const components = [at as 0 | 1 | 2 | 3];
    return shortenedSwizzle({ kind: "swizzle", type, operand, components, span });
  }
  const isListed = operand.kind === "construct" && operand.arguments.length === lengthOf(operand.type);
  const part = isListed ? operand.arguments[at] : undefined;
  if (part && isSameType(part.type, type)) return part;
  if (at === index.value) return undefined;
  return { kind: "index", type, operand, index: { ...index, value: at }, span };
}

/** A literal index that the type has: the next one to that which is asked for. */
export function clampedIndex(operand: Type, index: Literal): Literal {
  const at = Math.min(Math.max(Number(index.value), 0), lengthOf(operand) - 1);
  return at === index.value ? index : { ...index, value: at };
}

function lengthOf(type: Type): number {
  switch (type.kind) {
    case "vector":
      return type.size;
    case "matrix":
      return type.columns;
    case "array":
      return type.length;
    default:
      return 1;
  }
}
