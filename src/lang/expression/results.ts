import { parseProgram } from "./syntax/parse.ts";
import type { Expression } from "./syntax/tree.ts";

/** A statement whose value is worth keeping. */
export interface ResultStatement {
  readonly name: string;
  /** The value as written, without the name. */
  readonly text: string;
}

/** A text's results, in order, and the names of the steps on the way to them, which fusion need not store. */
export interface Results {
  readonly results: readonly ResultStatement[];
  readonly steps: readonly string[];
}

/**
 * Results are the statements that no later statement builds on: of `w = curl(v); e = dot(w, w)` it is e, and w is a
 * step. Throws SyntaxError.
 */
export function resultStatements(text: string): Results {
  const { statements } = parseProgram(text);
  const results = new Map<string, ResultStatement>();
  for (const { name, value } of statements) {
    if (!value) continue;
    for (const read of namesIn(value)) results.delete(read);
    results.delete(name);
    results.set(name, { name, text: text.slice(value.span.from, value.span.to) });
  }
  const steps = new Set(statements.map(({ name }) => name).filter((name) => !results.has(name)));
  return { results: [...results.values()], steps: [...steps] };
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
