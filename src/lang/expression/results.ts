import { parseProgram } from "./syntax/parse.ts";
import type { Expression } from "./syntax/tree.ts";

/** A statement whose value is worth keeping. */
export interface ResultStatement {
  readonly name: string;
  /** The value as written, without the name. */
  readonly text: string;
}

/**
 * The statements that no later statement builds on, in order: of `w = curl(v); e = dot(w, w)` it is e.
 * The others are steps on the way, which fusion need not store. Throws SyntaxError.
 */
export function resultStatements(text: string): ResultStatement[] {
  const { statements } = parseProgram(text);
  const results = new Map<string, ResultStatement>();
  for (const { name, value } of statements) {
    if (!value) continue;
    for (const read of namesIn(value)) results.delete(read);
    results.delete(name);
    results.set(name, { name, text: text.slice(value.span.from, value.span.to) });
  }
  return [...results.values()];
}

function* namesIn(expression: Expression): Generator<string> {
  switch (expression.kind) {
    case "name":
      yield expression.name;
      return;
    case "number":
      return;
    case "unary":
      yield* namesIn(expression.operand);
      return;
    default:
      for (const part of partsOf(expression)) yield* namesIn(part);
  }
}

function partsOf(
  expression: Exclude<Expression, { kind: "name" | "number" | "unary" }>,
): readonly Expression[] {
  switch (expression.kind) {
    case "binary":
      return [expression.left, expression.right];
    case "conditional":
      return [expression.condition, expression.consequent, expression.alternative];
    case "call":
      return expression.args;
    case "index":
      return [expression.target, expression.index];
    case "vector":
      return expression.elements;
  }
}
