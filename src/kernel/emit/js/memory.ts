/** Which variables have to lie in memory: arrays with an element whose number is not known before the code runs. */
import type { Expression, Statement, Target, Variable } from "../../ir.ts";
import { expressionsBelow, expressionsOf, statementsBelow } from "../../walk.ts";

export function indexedVariables(blocks: readonly (readonly Statement[])[]): Set<Variable> {
  const found = new Set<Variable>();
  const add = (variable: Variable | undefined) => {
    if (variable) found.add(variable);
  };
  for (const block of blocks) {
    for (const statement of statementsBelow(block)) {
      if (statement.kind === "assign") add(indexedTarget(statement.target, false));
      for (const expression of expressionsOf(statement)) {
        for (const part of expressionsBelow(expression)) {
          if (isIndexedArray(part)) add(rootVariable(part));
        }
      }
    }
  }
  return found;
}

const isIndexedArray = (expression: Expression): boolean =>
  expression.kind === "index" &&
  expression.operand.type.kind === "array" &&
  expression.index.kind !== "literal";

function rootVariable(expression: Expression): Variable | undefined {
  if (expression.kind === "variable") return expression.variable;
  return expression.kind === "index" || expression.kind === "member" || expression.kind === "swizzle"
    ? rootVariable(expression.operand)
    : undefined;
}

function indexedTarget(target: Target, isIndexed: boolean): Variable | undefined {
  if (target.kind === "variable") return isIndexed ? target.variable : undefined;
  if (target.kind === "output") return undefined;
  const indexes =
    target.kind === "index" && target.target.type.kind === "array" && target.index.kind !== "literal";
  return indexedTarget(target.target, isIndexed || indexes);
}
