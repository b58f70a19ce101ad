/** Kernels and functions written into blocks of other kernels, with other expressions where they read their surroundings. */
import { constantVariable, mutableVariable, read } from "./build.ts";
import type { Expression, KernelFunction, KernelProgram, Load, Statement, Target, Variable } from "./ir.ts";
import { inputType } from "./loads.ts";
import { mapTarget } from "./simplify/common.ts";
import { childrenOf, rootOf, statementsBelow, withChildren } from "./walk.ts";

/** Statements that are being written, with the blocks around them. */
export class Block {
  readonly statements: Statement[] = [];
  readonly around: Block | undefined;
  readonly #known = new Map<string, Expression>();

  constructor(around?: Block) {
    this.around = around;
  }

  /** The expression itself where it costs nothing to repeat, else a `let` that holds it. */
  let(name: string, value: Expression): Expression {
    if (isFree(value)) return value;
    const variable = constantVariable(name, value.type);
    this.statements.push({ kind: "declare", variable, value });
    return read(variable);
  }

  /** What was kept under a key, here or in a block around. */
  known(key: string): Expression | undefined {
    return this.#known.get(key) ?? this.around?.known(key);
  }

  keep(key: string, value: Expression): Expression {
    this.#known.set(key, value);
    return value;
  }
}

/** True of what reads as fast as a variable does. */
function isFree(value: Expression): boolean {
  switch (value.kind) {
    case "literal":
    case "constant":
    case "position":
      return true;
    case "variable":
      return !value.variable.isMutable;
    case "swizzle":
      return value.components.length === 1 && isFree(value.operand);
    case "index":
      return value.index.kind === "literal" && isFree(value.operand);
    default:
      return false;
  }
}

/** What stands for a kernel's reads of its surroundings; statements that it needs are written into the block. */
export interface Surroundings {
  load(load: Load, into: Block): Expression;
  constant(name: string): Expression;
  position(which: "element" | "place" | "at"): Expression;
}

const none: Surroundings = {
  load: ({ input }) => outside(`the input “${input}”`),
  constant: (name) => outside(`the constant “${name}”`),
  position: (which) => outside(`“${which}”`),
};

function outside(what: string): never {
  throw new TypeError(`A function of values reads ${what}.`);
}

/**
 * Writes a kernel's body into the block, each variable as one of its own. Returns what its outputs hold at its end, by their
 * names; variables for them are called by `prefix` and these. The body must not return early.
 */
export function spliceKernel(
  program: KernelProgram,
  into: Block,
  surroundings: Surroundings,
  prefix: string,
): Readonly<Record<string, Expression>> {
  const values: Record<string, Expression> = {};
  const splice = new Splice(surroundings, values);
  const settings = settingsOf(program);
  for (const [name, output] of Object.entries(program.outputs)) {
    if (settings.has(name)) continue;
    const variable = mutableVariable(`${prefix}_${name}`, inputType(output));
    into.statements.push({ kind: "declare", variable, value: undefined });
    values[name] = read(variable);
  }
  for (const statement of program.body) {
    const name = [...settings].find(([, setting]) => setting === statement)?.[0];
    if (name === undefined || statement.kind !== "assign") splice.statement(statement, into);
    else values[name] = into.let(`${prefix}_${name}`, splice.expression(statement.value, into));
  }
  return values;
}

/** The statements that set outputs which nothing else sets, as a whole and in any case. */
function settingsOf({ body }: KernelProgram): Map<string, Statement> {
  const counts = new Map<string, number>();
  for (const statement of statementsBelow(body)) {
    if (statement.kind !== "assign") continue;
    const root = rootOf(statement.target);
    if (root.kind === "output") counts.set(root.name, (counts.get(root.name) ?? 0) + 1);
  }
  const settings = new Map<string, Statement>();
  for (const statement of body) {
    if (statement.kind !== "assign" || statement.target.kind !== "output") continue;
    const { name } = statement.target;
    if (counts.get(name) === 1) settings.set(name, statement);
  }
  return settings;
}

/**
 * The value of a function for these arguments, which are repeated where it reads its parameters. A function that is straight-line
 * code is written into the block; others are called.
 */
export function spliceCall(callable: KernelFunction, given: readonly Expression[], into: Block): Expression {
  const last = callable.body.at(-1);
  const isStraight =
    last?.kind === "return" &&
    callable.body.every((statement, k) => statement.kind === "declare" || k === callable.body.length - 1);
  if (!isStraight || last?.kind !== "return" || !last.value) {
    return { kind: "call", type: callable.result, callee: callable, arguments: given };
  }
  const splice = new Splice(none, {});
  callable.parameters.forEach((parameter, k) => {
    splice.replace(parameter, given[k]);
  });
  for (const statement of callable.body.slice(0, -1)) splice.statement(statement, into);
  return splice.expression(last.value, into);
}

class Splice {
  readonly #surroundings: Surroundings;
  readonly #outputs: Readonly<Record<string, Expression>>;
  readonly #variables = new Map<Variable, Expression>();

  constructor(surroundings: Surroundings, outputs: Readonly<Record<string, Expression>>) {
    this.#surroundings = surroundings;
    this.#outputs = outputs;
  }

  replace(variable: Variable, value: Expression): void {
    this.#variables.set(variable, value);
  }

  expression(expression: Expression, into: Block): Expression {
    const parts = childrenOf(expression).map((child) => this.expression(child, into));
    const node = withChildren(expression, parts);
    switch (node.kind) {
      case "variable":
        return this.#variables.get(node.variable) ?? node;
      case "load":
        return this.#surroundings.load(node, into);
      case "constant":
        return this.#surroundings.constant(node.name);
      case "position":
        return this.#surroundings.position(node.which);
      default:
        return node;
    }
  }

  statement(statement: Statement, into: Block): void {
    switch (statement.kind) {
      case "declare": {
        const { variable, value } = statement;
        const made = value && this.expression(value, into);
        into.statements.push({ kind: "declare", variable: this.#declare(variable), value: made });
        return;
      }
      case "assign": {
        const target = this.#target(mapTarget(statement.target, (index) => this.expression(index, into)));
        into.statements.push({ kind: "assign", target, value: this.expression(statement.value, into) });
        return;
      }
      case "if": {
        const condition = this.expression(statement.condition, into);
        const [body, otherwise] = [statement.body, statement.otherwise].map((block) =>
          this.#block(block, into),
        );
        into.statements.push({ kind: "if", condition, body, otherwise });
        return;
      }
      case "for": {
        const [from, to] = [statement.from, statement.to].map((bound) => this.expression(bound, into));
        const variable = this.#declare(statement.variable);
        const body = this.#block(statement.body, into);
        into.statements.push({ kind: "for", variable, from, to, step: statement.step, body });
        return;
      }
      case "return":
        throw new TypeError("A kernel that returns early cannot stand in another one.");
      default:
        into.statements.push({ kind: statement.kind });
    }
  }

  #block(statements: readonly Statement[], around: Block): readonly Statement[] {
    const inner = new Block(around);
    for (const statement of statements) this.statement(statement, inner);
    return inner.statements;
  }

  #declare(variable: Variable): Variable {
    const copy = { ...variable };
    this.#variables.set(variable, read(copy));
    return copy;
  }

  #target(target: Target): Target {
    switch (target.kind) {
      case "variable":
        return { ...target, variable: this.#held(this.#variables.get(target.variable)) };
      case "output":
        return { kind: "variable", variable: this.#held(this.#outputs[target.name]), type: target.type };
      default:
        return { ...target, target: this.#target(target.target) };
    }
  }

  #held(expression: Expression | undefined): Variable {
    if (expression?.kind === "variable") return expression.variable;
    throw new TypeError("What is assigned to is no variable.");
  }
}
