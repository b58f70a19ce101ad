/** Calls replaced by what the called functions do. */
import { read } from "./build.ts";
import type { Expression, KernelFunction, KernelProgram, Statement, Target, Variable } from "./ir.ts";
import { calledFunctions } from "./simplify/simplify.ts";
import { alwaysReturns, childrenOf, statementsBelow, withChildren } from "./walk.ts";

/** True of functions whose ways through them can end at their end: they do not return from inside a loop. */
export const canInline = ({ body }: KernelFunction): boolean => returnLast(body) !== undefined;

/**
 * The kernel with calls of the functions that `isWanted` names inlined, where that can be done; what nothing calls any
 * more is left out. Arguments become `let`s; `simplifyKernel` removes those that can be spared.
 */
export function inlineCalls(
  program: KernelProgram,
  isWanted: (callable: KernelFunction) => boolean = () => true,
): KernelProgram {
  const inliner = new Inliner((callable) => isWanted(callable) && canInline(callable));
  const functions = program.functions.map((callable) => inliner.function(callable));
  const body = inliner.block(program.body);
  return { ...program, body, functions: calledFunctions(body, functions) };
}

class Inliner {
  private readonly isWanted: (callable: KernelFunction) => boolean;
  private readonly replaced = new Map<KernelFunction, KernelFunction>();

  constructor(isWanted: (callable: KernelFunction) => boolean) {
    this.isWanted = isWanted;
  }

  /** Callees come first: what they call is inlined in them already. */
  function(callable: KernelFunction): KernelFunction {
    const made = { ...callable, body: this.block(callable.body) };
    this.replaced.set(callable, made);
    return made;
  }

  block(statements: readonly Statement[]): Statement[] {
    return statements.flatMap((statement) => {
      const before: Statement[] = [];
      const mapped = mapStatement(statement, {
        expression: (expression) => this.expression(expression, before),
        block: (block) => this.block(block),
        declared: (variable) => variable,
      });
      return [...before, mapped];
    });
  }

  private expression(expression: Expression, before: Statement[]): Expression {
    const children = childrenOf(expression).map((child) => this.expression(child, before));
    const node = withChildren(expression, children);
    if (node.kind !== "call") return node;
    const callee = this.replaced.get(node.callee) ?? node.callee;
    const body = this.isWanted(node.callee) ? returnLast(callee.body) : undefined;
    if (!body) return { ...node, callee };
    const copy = new Copy({ name: callee.name, type: callee.result, isMutable: true });
    callee.parameters.forEach((parameter, i) => {
      const variable = copy.declare(parameter);
      before.push({ kind: "declare", variable, value: node.arguments[i], span: node.arguments[i].span });
    });
    const variable = copy.append(body, before);
    return read(variable, node.span);
  }
}

/**
 * The same statements with each return as the last statement of a way through them; undefined where one is in a loop, or
 * where two ways would have to go on with the same statements.
 */
function returnLast(block: readonly Statement[]): readonly Statement[] | undefined {
  for (const [i, statement] of block.entries()) {
    if (statement.kind === "return") return block.slice(0, i + 1);
    if ([...statementsBelow([statement])].every(({ kind }) => kind !== "return")) continue;
    if (statement.kind !== "if") return undefined;
    const rest = block.slice(i + 1);
    const [first, second] = [statement.body, statement.otherwise];
    const ends = [alwaysReturns(first), alwaysReturns(second)];
    if (!ends[0] && !ends[1]) return undefined;
    const body = returnLast(ends[0] ? first : [...first, ...rest]);
    const otherwise = returnLast(ends[1] ? second : [...second, ...rest]);
    return body && otherwise && [...block.slice(0, i), { ...statement, body, otherwise }];
  }
  return block;
}

/** A function's statements with variables of their own, and assignments to a variable for returns. */
class Copy {
  private readonly result: Variable;
  private readonly variables = new Map<Variable, Variable>();

  constructor(result: Variable) {
    this.result = result;
  }

  /** Adds the statements; returns the variable that has the result after them. */
  append(body: readonly Statement[], to: Statement[]): Variable {
    const last = body.at(-1);
    if (last?.kind === "return" && last.value) {
      to.push(...this.block(body.slice(0, -1)));
      const variable = { ...this.result, isMutable: false };
      to.push({ kind: "declare", variable, value: this.expression(last.value), span: last.span });
      return variable;
    }
    to.push({ kind: "declare", variable: this.result, value: undefined });
    to.push(...this.block(body));
    return this.result;
  }

  declare(variable: Variable): Variable {
    const copy = { ...variable };
    this.variables.set(variable, copy);
    return copy;
  }

  block(statements: readonly Statement[]): Statement[] {
    return statements.map((statement): Statement => {
      if (statement.kind === "return" && statement.value) {
        const target: Target = { kind: "variable", variable: this.result, type: this.result.type };
        return { kind: "assign", target, value: this.expression(statement.value), span: statement.span };
      }
      return mapStatement(statement, {
        expression: (expression) => this.expression(expression),
        block: (block) => this.block(block),
        declared: (variable) => this.declare(variable),
        assigned: (variable) => this.variables.get(variable) ?? variable,
      });
    });
  }

  private expression(expression: Expression): Expression {
    if (expression.kind === "variable") {
      return { ...expression, variable: this.variables.get(expression.variable) ?? expression.variable };
    }
    return withChildren(
      expression,
      childrenOf(expression).map((child) => this.expression(child)),
    );
  }
}

interface Mapping {
  expression(expression: Expression): Expression;
  block(block: readonly Statement[]): readonly Statement[];
  declared(variable: Variable): Variable;
  assigned?(variable: Variable): Variable;
}

function mapStatement(statement: Statement, map: Mapping): Statement {
  switch (statement.kind) {
    case "declare": {
      const value = statement.value && map.expression(statement.value);
      return { ...statement, variable: map.declared(statement.variable), value };
    }
    case "assign":
      return {
        ...statement,
        target: mapPlace(statement.target, map),
        value: map.expression(statement.value),
      };
    case "if":
      return {
        ...statement,
        condition: map.expression(statement.condition),
        body: map.block(statement.body),
        otherwise: map.block(statement.otherwise),
      };
    case "for": {
      const from = map.expression(statement.from);
      const to = map.expression(statement.to);
      const variable = map.declared(statement.variable);
      return { ...statement, variable, from, to, body: map.block(statement.body) };
    }
    case "return":
      return statement.value ? { ...statement, value: map.expression(statement.value) } : statement;
    default:
      return statement;
  }
}

function mapPlace(target: Target, map: Mapping): Target {
  switch (target.kind) {
    case "variable":
      return { ...target, variable: map.assigned?.(target.variable) ?? target.variable };
    case "output":
      return target;
    case "index":
      return { ...target, target: mapPlace(target.target, map), index: map.expression(target.index) };
    case "member":
      return { ...target, target: mapPlace(target.target, map) };
  }
}
