/** Ways through the nodes of kernels. */
import type { Expression, Statement, Target, Variable } from "./ir.ts";

/** The expressions that an expression is made of directly. */
export function childrenOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case "literal":
    case "variable":
    case "constant":
    case "position":
      return [];
    case "unary":
    case "convert":
    case "bitcast":
    case "swizzle":
    case "member":
      return [expression.operand];
    case "binary":
      return [expression.left, expression.right];
    case "builtin":
    case "call":
    case "construct":
      return expression.arguments;
    case "index":
      return [expression.operand, expression.index];
    case "load":
      return expression.indices;
  }
}

/** The same node with other children, in the order of `childrenOf`; the node itself where they are the same. */
export function withChildren(expression: Expression, children: readonly Expression[]): Expression {
  const before = childrenOf(expression);
  if (before.every((child, i) => child === children[i])) return expression;
  switch (expression.kind) {
    case "literal":
    case "variable":
    case "constant":
    case "position":
      return expression;
    case "unary":
    case "convert":
    case "bitcast":
    case "swizzle":
    case "member":
      return { ...expression, operand: children[0] };
    case "binary":
      return { ...expression, left: children[0], right: children[1] };
    case "builtin":
    case "call":
    case "construct":
      return { ...expression, arguments: children };
    case "index":
      return { ...expression, operand: children[0], index: children[1] };
    case "load":
      return { ...expression, indices: children };
  }
}

/** The expression and all that it is made of, it first. */
export function* expressionsBelow(expression: Expression): Generator<Expression> {
  yield expression;
  for (const child of childrenOf(expression)) yield* expressionsBelow(child);
}

/** Calls `visit` for the expression and all that it is made of, it first. */
export function forEachBelow(expression: Expression, visit: (part: Expression) => void): void {
  visit(expression);
  for (const child of childrenOf(expression)) forEachBelow(child, visit);
}

/** The expressions that stand in a statement itself, not in the blocks in it. */
export function expressionsOf(statement: Statement): Expression[] {
  switch (statement.kind) {
    case "declare":
    case "return":
      return statement.value ? [statement.value] : [];
    case "assign":
      return [...indicesOf(statement.target), statement.value];
    case "if":
      return [statement.condition];
    case "for":
      return [statement.from, statement.to];
    case "break":
    case "continue":
      return [];
  }
}

/** The indices on the way to a target, the outermost first. */
function indicesOf(target: Target): Expression[] {
  if (target.kind === "variable" || target.kind === "output") return [];
  const before = indicesOf(target.target);
  return target.kind === "index" ? [...before, target.index] : before;
}

/** The variable or the output that a target is, or is a part of. */
export function rootOf(target: Target): Extract<Target, { kind: "variable" | "output" }> {
  return target.kind === "variable" || target.kind === "output" ? target : rootOf(target.target);
}

export function blocksOf(statement: Statement): readonly (readonly Statement[])[] {
  if (statement.kind === "if") return [statement.body, statement.otherwise];
  return statement.kind === "for" ? [statement.body] : [];
}

/** Every statement of a block and of the blocks in it, in their order. */
export function* statementsBelow(block: readonly Statement[]): Generator<Statement> {
  for (const statement of block) {
    yield statement;
    for (const inner of blocksOf(statement)) yield* statementsBelow(inner);
  }
}

export function assignedVariables(block: readonly Statement[]): Set<Variable> {
  const found = new Set<Variable>();
  for (const statement of statementsBelow(block)) {
    if (statement.kind !== "assign") continue;
    const root = rootOf(statement.target);
    if (root.kind === "variable") found.add(root.variable);
  }
  return found;
}

/** True of what consists only of literals, through operators and built-in functions. */
export function isConstant(expression: Expression): boolean {
  const { kind } = expression;
  if (
    kind === "variable" ||
    kind === "constant" ||
    kind === "position" ||
    kind === "load" ||
    kind === "call"
  ) {
    return false;
  }
  return childrenOf(expression).every(isConstant);
}

/** True of a block that never runs to its end. */
export function alwaysReturns(block: readonly Statement[]): boolean {
  return block.some(
    (statement) =>
      statement.kind === "return" ||
      (statement.kind === "if" && alwaysReturns(statement.body) && alwaysReturns(statement.otherwise)),
  );
}
