import { quoteName } from "./quoting.ts";
import type { BinaryOperator, Expression, FunctionDefinition, Program } from "./tree.ts";

/** How strongly operators bind; a higher level binds tighter. */
const levels: Record<BinaryOperator, number> = {
  or: 1,
  and: 2,
  "<": 4,
  "<=": 4,
  ">": 4,
  ">=": 4,
  "==": 4,
  "!=": 4,
  "+": 5,
  "-": 5,
  "*": 6,
  "/": 6,
  "%": 6,
  "^": 8,
};
const conditionalLevel = 0;
const notLevel = 3;
const minusLevel = 7;
const atomLevel = 9;

/** The program in its simplest spelling: one statement per line, parentheses only where needed. */
export function printProgram({ statements }: Program): string {
  return statements
    .map((statement) => {
      if (statement.kind === "function") return printFunction(statement);
      const { name, nameSpan, value } = statement;
      const text = value ? printExpression(value) : "";
      return nameSpan ? `${quoteName(name)} = ${text}` : text;
    })
    .join("\n");
}

function printFunction(definition: FunctionDefinition): string {
  return `def ${signatureOf(definition)} = ${definition.body ? printExpression(definition.body) : ""}`;
}

/** “speed(v)”. */
export function signatureOf({ name, parameters }: FunctionDefinition): string {
  return `${name}(${parameters.map((parameter) => quoteName(parameter.name)).join(", ")})`;
}

export function printExpression(expression: Expression): string {
  switch (expression.kind) {
    case "number":
      return String(expression.value);
    case "name":
      return expression.quoted
        ? `"${expression.name.replace(/[\\"]/g, "\\$&")}"`
        : quoteName(expression.name);
    case "unary":
      return expression.operator === "-"
        ? `-${within(expression.operand, minusLevel)}`
        : `not ${within(expression.operand, notLevel)}`;
    case "binary": {
      const { operator, left, right } = expression;
      const level = levels[operator];
      // 2^-1 needs no parentheses, (-2)^2 does; a^b^c is a^(b^c).
      const [leftMin, rightMin] = operator === "^" ? [atomLevel, minusLevel] : [level, level + 1];
      const spaced = operator === "^" ? operator : ` ${operator} `;
      return `${within(left, leftMin)}${spaced}${within(right, rightMin)}`;
    }
    case "conditional": {
      const { condition, consequent, alternative } = expression;
      return `if ${printExpression(condition)} then ${printExpression(consequent)} else ${printExpression(alternative)}`;
    }
    case "call":
      return `${expression.callee}(${printAll(expression.args)})`;
    case "index":
      return `${within(expression.target, atomLevel)}[${printExpression(expression.index)}]`;
    case "vector":
      return `{${printAll(expression.elements)}}`;
  }
}

function printAll(expressions: readonly Expression[]): string {
  return expressions.map(printExpression).join(", ");
}

function within(expression: Expression, minLevel: number): string {
  const text = printExpression(expression);
  return levelOf(expression) < minLevel ? `(${text})` : text;
}

function levelOf(expression: Expression): number {
  switch (expression.kind) {
    case "conditional":
      return conditionalLevel;
    case "binary":
      return levels[expression.operator];
    case "unary":
      return expression.operator === "-" ? minusLevel : notLevel;
    default:
      return atomLevel;
  }
}
