import { constantVariable, read } from "../build.ts";
import type { Expression, For, If, KernelFunction, Statement, Variable } from "../ir.ts";
import { assignedVariables, blocksOf, expressionsBelow, expressionsOf, rootOf } from "../walk.ts";
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
  private readonly callees: ReadonlyMap<KernelFunction, KernelFunction>;

  /** `callees` says by which functions others have been replaced. */
  constructor(body: readonly Statement[], callees: ReadonlyMap<KernelFunction, KernelFunction>) {
    this.callees = callees;
    this.assigned = assignedVariables(body);
    this.countReads(body, 0);
  }

  private readsOf(variable: Variable): Reads {
    const known = this.reads.get(variable);
    if (known) return known;
    const made = { count: 0, readDepth: 0, depth: 0 };
    this.reads.set(variable, made);
    return made;
  }

  private countReads(block: readonly Statement[], depth: number): void {
    for (const statement of block) {
      if (statement.kind === "declare") this.readsOf(statement.variable).depth = depth;
      for (const expression of expressionsOf(statement)) {
        for (const part of expressionsBelow(expression)) {
          if (part.kind !== "variable") continue;
          const reads = this.readsOf(part.variable);
          reads.count++;
          reads.readDepth = Math.max(reads.readDepth, depth);
        }
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
    const isOnce = reads.count === 1 && reads.readDepth === reads.depth && this.keepsValue(value);
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

  /** False of what reads variables that may have changed where the value would be computed instead. */
  private keepsValue(value: Expression): boolean {
    for (const part of expressionsBelow(value)) {
      if (part.kind === "variable" && this.assigned.has(part.variable)) return false;
    }
    return true;
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

  private expression(expression: Expression): Expression {
    const result = simplifyExpression(expression, (node) => {
      if (node.kind === "variable") return this.values.get(node.variable);
      const callee = node.kind === "call" ? this.callees.get(node.callee) : undefined;
      return node.kind === "call" && callee ? { ...node, callee } : undefined;
    });
    if (result !== expression) this.isChanged = true;
    return result;
  }
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
