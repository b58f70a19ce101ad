import { constantVariable, read } from "../build.ts";
import type {
  Expression,
  For,
  If,
  Index,
  KernelFunction,
  Member,
  Statement,
  Swizzle,
  Variable,
} from "../ir.ts";
import {
  assignedVariables,
  blocksOf,
  childrenOf,
  expressionsOf,
  forEachBelow,
  rootOf,
  statementsBelow,
  withChildren,
} from "../walk.ts";
import { mapTarget } from "./common.ts";
import { clampedIndex, simplifyExpression } from "./expression.ts";

interface Reads {
  count: number;
  /** How many loops are around the read that has most around it, and around the declaration. */
  readDepth: number;
  depth: number;
}

/**
 * One pass over the body of a kernel or function: values of variables that keep them stand where these are read, if
 * that costs nothing; branches of known conditions, statements after jumps and variables that are never read go.
 */
export class StatementPass {
  isChanged = false;
  private readonly reads = new Map<Variable, Reads>();
  private readonly assigned: ReadonlySet<Variable>;
  private readonly values = new Map<Variable, Expression>();
  /** What variables are made of, where each part costs nothing to repeat. */
  private readonly constructs = new Map<Variable, Expression>();
  /** Variables of which parts are read, and whether it is parts alone. */
  private readonly taken = new Map<Variable, { isPartsAlone: boolean }>();
  private readonly callees: ReadonlyMap<KernelFunction, KernelFunction>;

  /** `callees` says by which functions others have been replaced. */
  constructor(body: readonly Statement[], callees: ReadonlyMap<KernelFunction, KernelFunction>) {
    this.callees = callees;
    this.assigned = assignedVariables(body);
    for (const statement of statementsBelow(body)) {
      for (const expression of expressionsOf(statement)) this.findTaken(expression);
    }
    this.countReads(body, 0);
  }

  private readsOf(variable: Variable): Reads {
    const known = this.reads.get(variable);
    if (known) return known;
    const made = { count: 0, readDepth: 0, depth: 0 };
    this.reads.set(variable, made);
    return made;
  }

  private findTaken(expression: Expression): void {
    if (expression.kind === "variable") {
      const known = this.taken.get(expression.variable);
      if (known) known.isPartsAlone = false;
      else this.taken.set(expression.variable, { isPartsAlone: false });
    } else if (takesPart(expression) && expression.operand.kind === "variable") {
      const { variable } = expression.operand;
      if (!this.taken.has(variable)) this.taken.set(variable, { isPartsAlone: true });
    } else for (const child of childrenOf(expression)) this.findTaken(child);
  }

  /** True of the value of a variable that goes, because its parts stand wherever they are read. */
  private isSplit(variable: Variable, value: Expression): boolean {
    return (
      value.kind === "construct" &&
      value.type.kind !== "scalar" &&
      !this.assigned.has(variable) &&
      this.taken.get(variable)?.isPartsAlone === true
    );
  }

  private countReads(block: readonly Statement[], depth: number): void {
    for (const statement of block) {
      if (statement.kind === "declare") this.readsOf(statement.variable).depth = depth;
      for (const expression of expressionsOf(statement)) {
        const isSplit = statement.kind === "declare" && this.isSplit(statement.variable, expression);
        forEachBelow(expression, (part) => {
          if (part.kind !== "variable") return;
          const reads = this.readsOf(part.variable);
          reads.count += isSplit ? 2 : 1;
          reads.readDepth = Math.max(reads.readDepth, depth);
        });
      }
      for (const inner of blocksOf(statement)) {
        this.countReads(inner, statement.kind === "for" ? depth + 1 : depth);
      }
    }
  }

  block(statements: readonly Statement[]): Statement[] {
    const result: Statement[] = [];
    for (const statement of statements) {
      if (result.length > 0 && jumps(result.at(-1)!)) {
        this.isChanged = true;
        break;
      }
      const kept = this.statement(statement);
      if (kept.length !== 1) this.isChanged = true;
      result.push(...kept);
    }
    return result;
  }

  private statement(statement: Statement): readonly Statement[] {
    switch (statement.kind) {
      case "declare":
        return this.declare(statement.variable, statement);
      case "assign": {
        const root = rootOf(statement.target);
        if (root.kind === "variable" && this.readsOf(root.variable).count === 0) return [];
        const target = mapTarget(statement.target, (index, part) => {
          const at = this.expression(index);
          return at.kind === "literal" ? clampedIndex(part, at) : at;
        });
        return [{ ...statement, target, value: this.expression(statement.value) }];
      }
      case "if":
        return this.if(statement);
      case "for":
        return this.for(statement);
      case "return":
        return [statement.value ? { ...statement, value: this.expression(statement.value) } : statement];
      default:
        return [statement];
    }
  }

  private declare(
    variable: Variable,
    statement: Extract<Statement, { kind: "declare" }>,
  ): readonly Statement[] {
    const reads = this.readsOf(variable);
    if (reads.count === 0) return [];
    const value = statement.value && this.expression(statement.value);
    if (!value || this.assigned.has(variable)) return [{ ...statement, value }];
    if (this.isSplit(variable, value)) {
      const lets: Statement[] = [];
      this.constructs.set(variable, this.splitInto(lets, variable.name, value));
      return [...lets, { ...statement, value: this.constructs.get(variable) }];
    }
    const isOnce =
      reads.count === 1 &&
      reads.readDepth === reads.depth &&
      this.keepsValue(value) &&
      depthOf(value) < deepest;
    if (isOnce || isFree(value)) {
      this.values.set(variable, value);
      return [];
    }
    if (!variable.isMutable) return [{ ...statement, value }];
    const kept = constantVariable(variable.name, variable.type);
    this.values.set(variable, read(kept));
    this.isChanged = true;
    return [{ ...statement, variable: kept, value }];
  }

  /** The construct with variables for parts that cost something, each declared before it. */
  private splitInto(lets: Statement[], name: string, value: Expression): Expression {
    if (isPart(value)) return value;
    if (value.kind === "construct" && value.type.kind !== "scalar") {
      const parts = value.arguments.map((part) => this.splitInto(lets, name, part));
      return { ...value, arguments: parts };
    }
    const variable = constantVariable(name, value.type);
    lets.push({ kind: "declare", variable, value });
    return read(variable);
  }

  /** False of what reads variables that may have changed where the value would be computed instead. */
  private keepsValue(value: Expression): boolean {
    if (this.assigned.size === 0) return true;
    if (value.kind === "variable" && this.assigned.has(value.variable)) return false;
    return childrenOf(value).every((child) => this.keepsValue(child));
  }

  private if(statement: If): readonly Statement[] {
    const condition = this.expression(statement.condition);
    if (condition.kind === "literal") {
      this.isChanged = true;
      return this.block(condition.value === true ? statement.body : statement.otherwise);
    }
    const body = this.block(statement.body);
    const otherwise = this.block(statement.otherwise);
    return body.length + otherwise.length > 0 ? [{ ...statement, condition, body, otherwise }] : [];
  }

  private for(statement: For): readonly Statement[] {
    const from = this.expression(statement.from);
    const to = this.expression(statement.to);
    if (from.kind === "literal" && to.kind === "literal") {
      const isEmpty = statement.step > 0 ? from.value >= to.value : from.value <= to.value;
      if (isEmpty) return [];
    }
    const body = this.block(statement.body);
    return body.length > 0 ? [{ ...statement, from, to, body }] : [];
  }

  /** The part itself where the variable that it is read of is made of known ones. */
  private partOf(node: Swizzle | Index | Member): Expression | undefined {
    const { operand } = node;
    const whole = operand.kind === "variable" ? this.constructs.get(operand.variable) : undefined;
    if (!whole) return undefined;
    const [, ...others] = childrenOf(node);
    const part = simplifyExpression(withChildren(node, [whole, ...others]));
    return isPart(part) && !(takesPart(part) && part.operand.kind === "construct") ? part : undefined;
  }

  private expression(expression: Expression): Expression {
    const result = simplifyExpression(expression, (node) => {
      if (node.kind === "variable") return this.values.get(node.variable);
      if (takesPart(node)) return this.partOf(node);
      const callee = node.kind === "call" ? this.callees.get(node.callee) : undefined;
      return node.kind === "call" && callee ? { ...node, callee } : undefined;
    });
    if (result !== expression) this.isChanged = true;
    return result;
  }
}

/** Deeper expressions keep the names of their parts: shader compilers refuse to read some hundred levels. */
const deepest = 8;

const depthOf = (expression: Expression): number => 1 + Math.max(0, ...childrenOf(expression).map(depthOf));

/** True of what reads a part, which is known beforehand, of a value. */
const takesPart = (node: Expression): node is Swizzle | Index | Member =>
  node.kind === "member" ||
  (node.kind === "swizzle" && node.components.length === 1) ||
  (node.kind === "index" && node.index.kind === "literal");

/** True of what costs nothing to repeat: a value, a part of one, or values side by side. */
function isPart(value: Expression): boolean {
  if (takesPart(value)) return isPart(value.operand);
  return value.kind === "construct" ? value.arguments.every(isPart) : isFree(value);
}

/** Read as fast as a variable, and the same everywhere; mutable variables are not. */
function isFree(value: Expression): boolean {
  if (value.kind === "variable") return !value.variable.isMutable;
  return value.kind === "literal" || value.kind === "constant" || value.kind === "position";
}

/** True of a statement after which the next one in its block never runs. */
function jumps(statement: Statement): boolean {
  if (statement.kind === "if") {
    const [body, otherwise] = [statement.body.at(-1), statement.otherwise.at(-1)];
    return body !== undefined && otherwise !== undefined && jumps(body) && jumps(otherwise);
  }
  return statement.kind === "return" || statement.kind === "break" || statement.kind === "continue";
}
