import type { Expression } from "./tree.ts";

/** The direct parts of an expression, in the order of the text. */
function partsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "number":
    case "name":
      return [];
    case "unary":
      return [expression.operand];
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

/** The expression and all of its nested parts, each before its own parts. */
export function* withinExpression(expression: Expression): Generator<Expression> {
  const rest = [expression];
  for (let next = rest.pop(); next; next = rest.pop()) {
    yield next;
    rest.push(...[...partsOf(next)].reverse());
  }
}
