import { constantVariable, read } from "../build.ts";
import type { Expression, KernelFunction, Statement, Target, Variable } from "../ir.ts";
import { type Type, typeText } from "../types.ts";
import { assignedVariables, childrenOf, withChildren } from "../walk.ts";

/**
 * Numbers for expressions, the same for expressions that have the same value. A variable that is assigned to gets a new
 * version, so that what reads it before and after are two.
 */
class ValueNumbers {
  private readonly numbers = new Map<string, number>();
  private readonly ids = new Map<Variable | KernelFunction, number>();
  private versions = new Map<Variable, number>();
  private cache = new Map<Expression, number>();
  private changes = 0;

  /** Goes back to before the first change, keeping the numbers. */
  restart(): void {
    this.versions = new Map();
    this.cache = new Map();
    this.changes = 0;
  }

  change(variables: Iterable<Variable>): void {
    for (const variable of variables) this.versions.set(variable, ++this.changes);
    this.cache.clear();
  }

  of(expression: Expression): number {
    const cached = this.cache.get(expression);
    if (cached !== undefined) return cached;
    let key = this.label(expression);
    for (const child of childrenOf(expression)) key += `(${this.of(child)}`;
    const number = this.numbers.get(key) ?? this.numbers.size;
    this.numbers.set(key, number);
    this.cache.set(expression, number);
    return number;
  }

  private id(thing: Variable | KernelFunction): number {
    const id = this.ids.get(thing) ?? this.ids.size;
    this.ids.set(thing, id);
    return id;
  }

  private label(expression: Expression): string {
    const { kind } = expression;
    switch (kind) {
      case "literal":
        return `${kind} ${typeText(expression.type)} ${Object.is(expression.value, -0) ? "-0" : expression.value}`;
      case "variable":
        return `${kind} ${this.id(expression.variable)} ${this.versions.get(expression.variable) ?? 0}`;
      case "constant":
      case "builtin":
        return `${kind} ${expression.name}`;
      case "position":
        return `${kind} ${expression.which}`;
      case "unary":
      case "binary":
        return `${kind} ${expression.operator}`;
      case "call":
        return `${kind} ${this.id(expression.callee)}`;
      case "construct":
      case "convert":
      case "bitcast":
        return `${kind} ${typeText(expression.type)}`;
      case "swizzle":
        return `${kind} ${expression.components.join("")}`;
      case "member":
        return `${kind} ${expression.member}`;
      case "load":
        return `${kind} ${expression.input}`;
      case "index":
        return kind;
    }
  }
}

/** Not worth a variable: it is read as fast as one. */
function isCheap(expression: Expression): boolean {
  switch (expression.kind) {
    case "literal":
    case "variable":
    case "constant":
    case "position":
      return true;
    case "swizzle":
    case "member":
      return isCheap(expression.operand);
    case "construct":
      return expression.arguments.every(({ kind }) => kind === "literal");
    default:
      return false;
  }
}

/**
 * Computes what the straight-line code of a block computes several times once, in a `let`; blocks in it read it too.
 * Inputs do not change while a kernel runs, so that loads are values like others. `onShare` is called for each part that is
 * no longer computed again.
 */
export function shareCommon(block: readonly Statement[], onShare: () => void): Statement[] {
  return new Sharing(onShare).run(block);
}

class Sharing {
  private readonly numbers = new ValueNumbers();
  private readonly uses = new Map<number, number>();
  private readonly named = new Map<number, Variable>();
  private readonly onShare: () => void;

  constructor(onShare: () => void) {
    this.onShare = onShare;
  }

  run(block: readonly Statement[]): Statement[] {
    for (const statement of block) {
      this.visit(
        statement,
        (expression) => {
          this.count(expression);
          return expression;
        },
        (expression) => {
          this.countInside(expression);
          return expression;
        },
      );
    }
    this.numbers.restart();
    const result: Statement[] = [];
    for (const statement of block) {
      const before: Statement[] = [];
      const after = this.visit(
        statement,
        (expression) =>
          statement.kind === "declare" && !statement.variable.isMutable
            ? this.nameByLet(expression, statement.variable, before)
            : this.name(expression, before),
        (expression) => this.reuse(expression),
      );
      result.push(...before, after);
    }
    return result.map((statement) => shareInside(statement, this.onShare));
  }

  private count(expression: Expression): void {
    const number = this.numbers.of(expression);
    const uses = this.uses.get(number) ?? 0;
    this.uses.set(number, uses + 1);
    if (uses === 0) for (const child of childrenOf(expression)) this.count(child);
  }

  /** Only what the code before has computed counts. */
  private countInside(expression: Expression): void {
    const number = this.numbers.of(expression);
    const uses = this.uses.get(number);
    if (uses !== undefined) this.uses.set(number, uses + 1);
    else for (const child of childrenOf(expression)) this.countInside(child);
  }

  private isShared(expression: Expression, number: number): boolean {
    return (this.uses.get(number) ?? 0) > 1 && !isCheap(expression);
  }

  private name(expression: Expression, before: Statement[]): Expression {
    const number = this.numbers.of(expression);
    const known = this.named.get(number);
    if (known) return this.readAgain(known, expression);
    const value = withChildren(
      expression,
      childrenOf(expression).map((child) => this.name(child, before)),
    );
    if (!this.isShared(expression, number)) return value;
    const variable = constantVariable("common", expression.type);
    this.named.set(number, variable);
    before.push({ kind: "declare", variable, value, span: expression.span });
    return read(variable, expression.span);
  }

  /** The value of a `let` has a name already. */
  private nameByLet(expression: Expression, variable: Variable, before: Statement[]): Expression {
    const number = this.numbers.of(expression);
    if (this.named.has(number) || !this.isShared(expression, number)) return this.name(expression, before);
    const children = childrenOf(expression).map((child) => this.name(child, before));
    this.named.set(number, variable);
    return withChildren(expression, children);
  }

  private readAgain(variable: Variable, { span }: Expression): Expression {
    this.onShare();
    return read(variable, span);
  }

  private reuse(expression: Expression): Expression {
    const known = this.named.get(this.numbers.of(expression));
    if (known) return this.readAgain(known, expression);
    return withChildren(
      expression,
      childrenOf(expression).map((child) => this.reuse(child)),
    );
  }

  /** Maps a statement's own expressions by `straight`, those of the blocks in it by `inside`, as variables change. */
  private visit(
    statement: Statement,
    straight: (expression: Expression) => Expression,
    inside: (expression: Expression) => Expression,
  ): Statement {
    const within = (block: readonly Statement[]) => block.map((inner) => this.visit(inner, inside, inside));
    switch (statement.kind) {
      case "declare":
        return statement.value ? { ...statement, value: straight(statement.value) } : statement;
      case "assign": {
        const target = mapTarget(statement.target, straight);
        const value = straight(statement.value);
        this.numbers.change(assignedVariables([statement]));
        return { ...statement, target, value };
      }
      case "if": {
        const condition = straight(statement.condition);
        const body = within(statement.body);
        const otherwise = within(statement.otherwise);
        this.numbers.change(assignedVariables([statement]));
        return { ...statement, condition, body, otherwise };
      }
      case "for": {
        const from = straight(statement.from);
        const to = straight(statement.to);
        const assigned = assignedVariables(statement.body);
        this.numbers.change(assigned);
        const body = within(statement.body);
        this.numbers.change(assigned);
        return { ...statement, from, to, body };
      }
      case "return":
        return statement.value ? { ...statement, value: straight(statement.value) } : statement;
      default:
        return statement;
    }
  }
}

function shareInside(statement: Statement, onShare: () => void): Statement {
  if (statement.kind === "if") {
    return {
      ...statement,
      body: shareCommon(statement.body, onShare),
      otherwise: shareCommon(statement.otherwise, onShare),
    };
  }
  return statement.kind === "for" ? { ...statement, body: shareCommon(statement.body, onShare) } : statement;
}

/** The target with other indices; `map` is given the type of what they are indices of, too. */
export function mapTarget(target: Target, map: (index: Expression, of: Type) => Expression): Target {
  if (target.kind === "variable" || target.kind === "output") return target;
  const inner = mapTarget(target.target, map);
  return target.kind === "index"
    ? { ...target, target: inner, index: map(target.index, inner.type) }
    : { ...target, target: inner };
}
