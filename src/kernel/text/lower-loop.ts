import * as build from "../build.ts";
import { kernelError } from "../errors.ts";
import type { Expression, For, Variable } from "../ir.ts";
import { type ScalarType, type Type, typeText } from "../types.ts";
import { assignedVariables, expressionsBelow } from "../walk.ts";
import { settle, settleTo } from "./abstract.ts";
import type { StatementLowering } from "./lower-statement.ts";
import { Scope } from "./scope.ts";
import type { ForSyntax } from "./syntax.ts";

const form = "Loops have the form for (var i = a; i < b; i++), with <=, > or >=, and i += 2, i-- or i -= 2.";

/** A loop whose turns can be counted before the first. */
export function lowerFor(
  { start, condition, step, body, span }: ForSyntax,
  outer: Scope,
  statements: StatementLowering,
  result: Type | undefined,
): For {
  statements.refuseReserved(start);
  const lowered = statements.value(start, outer);
  if (!lowered) throw kernelError("The loop has no first value.", form, start.span);
  const from = settle(lowered);
  const { type } = from;
  if (type.kind !== "scalar" || (type.scalar !== "i32" && type.scalar !== "u32")) {
    throw kernelError(`A loop cannot count in ${typeText(type)}.`, "Its variable is i32 or u32.", start.span);
  }
  const variable: Variable = { name: start.name.text, type, isMutable: false };
  const scope = new Scope(outer);
  scope.declare(start.name, { variable });

  const isCounter = (syntax: typeof step.target) => syntax.kind === "name" && syntax.name === variable.name;
  if (!isCounter(step.target) || (step.operator !== "+" && step.operator !== "-")) {
    throw kernelError(`The loop does not count “${variable.name}” up or down.`, form, step.span);
  }
  const size = settleTo(statements.expressions.lower(step.value, outer), type, "The loop's step");
  if (size.kind !== "literal" || size.value === 0) {
    throw kernelError("The loop's step is not a number, or is 0.", form, step.value.span);
  }
  const signed = step.operator === "+" ? Number(size.value) : -Number(size.value);
  const isUp = signed > 0;
  const operators = isUp ? ["<", "<="] : [">", ">="];
  if (condition.kind !== "binary" || !isCounter(condition.left) || !operators.includes(condition.operator)) {
    const direction = isUp ? "up" : "down";
    throw kernelError(
      `The loop counts ${direction}, and its condition is not ${variable.name} ${operators[0]} … or ${variable.name} ${operators[1]} ….`,
      form,
      condition.span,
    );
  }
  const bound = settleTo(statements.expressions.lower(condition.right, outer), type, "The loop's bound");
  const to = condition.operator.endsWith("=") ? beyond(bound, type, isUp ? 1 : -1) : bound;
  const lines = statements.block(body, scope, result);
  const assigned = assignedVariables(lines);
  const moving = [...expressionsBelow(bound)].find(
    (part) => part.kind === "variable" && assigned.has(part.variable),
  );
  if (moving?.kind === "variable") {
    throw kernelError(
      `The loop's bound depends on “${moving.variable.name}”, which changes in the loop.`,
      "Take its value into a let before the loop.",
      moving.span,
    );
  }
  return { kind: "for", variable, from, to, step: signed, body: lines, span };
}

/** The first value that is no longer in a range that includes its bound. */
function beyond(bound: Expression, type: ScalarType, by: 1 | -1): Expression {
  const { span } = bound;
  if (bound.kind !== "literal") {
    return by > 0
      ? build.binary("+", bound, build.literal(1, type, span), span)
      : build.binary("-", bound, build.literal(1, type, span), span);
  }
  const value = build.literalValue(Number(bound.value) + by, type.scalar);
  if (value !== undefined) return build.literal(value, type, span);
  throw kernelError(
    `Every ${typeText(type)} is ${by > 0 ? "at most" : "at least"} ${bound.value}: the loop has no end.`,
    by > 0 ? "Choose a lower bound." : "Count in i32, or choose a higher bound.",
    span,
  );
}
