/** Evaluates kernels with bounds of what GPUs may compute: see `tracked.ts`. */
import { constantScalars, scalarsOf } from "../constants.ts";
import { expandBinary, expandBuiltin } from "../expand.ts";
import { forEachPosition, loadIndex, type Position, wordOf } from "../interpret/position.ts";
import type { Expression, KernelProgram, Statement, Target, Variable } from "../ir.ts";
import type { KernelCall } from "../layout.ts";
import { rounded } from "../semantics.ts";
import { scalarCount, scalarOf, type Type } from "../types.ts";
import {
  known,
  open,
  type Tracked,
  tracked,
  trackedBitcast,
  trackedConvert,
  trackedUnary,
} from "./tracked.ts";

type Parts = readonly Tracked[];

/** Thrown where the way through a kernel depends on a float that may lie on either side. */
class Undecided extends Error {}

const decided = (x: Tracked): number | boolean => {
  if (x.kind === "known") return x.value;
  throw new Undecided();
};

/** Bounds of a kernel's outputs at each element of a call: all open where its way is not decided. */
export function trackKernel(program: KernelProgram, call: KernelCall): Record<string, Tracked[]> {
  const results: Record<string, Tracked[]> = {};
  for (const name of Object.keys(program.outputs)) results[name] = [];
  forEachPosition(call, (position) => {
    const tracker = new Tracker(program, call, position);
    try {
      tracker.block(program.body);
    } catch (error) {
      if (!(error instanceof Undecided)) throw error;
      for (const [name, parts] of tracker.outputs)
        tracker.outputs.set(
          name,
          parts.map(() => open),
        );
    }
    for (const [name, parts] of tracker.outputs) results[name].push(...parts);
  });
  return results;
}

type End = "next" | "break" | "continue" | "return";

class Tracker {
  readonly outputs: Map<string, Parts>;
  readonly #program: KernelProgram;
  readonly #call: KernelCall;
  readonly #position: Position;
  #variables = new Map<Variable, Parts>();
  #returned: Parts = [];

  constructor(program: KernelProgram, call: KernelCall, position: Position) {
    this.#program = program;
    this.#call = call;
    this.#position = position;
    this.outputs = new Map(
      Object.entries(program.outputs).map(([name, { components = 1 }]) => [
        name,
        new Array<Tracked>(components).fill(known(0)),
      ]),
    );
  }

  block(statements: readonly Statement[]): End {
    for (const statement of statements) {
      const end = this.#statement(statement);
      if (end !== "next") return end;
    }
    return "next";
  }

  #statement(statement: Statement): End {
    switch (statement.kind) {
      case "declare": {
        const { variable, value } = statement;
        this.#variables.set(variable, value ? this.#parts(value) : zeros(variable.type));
        return "next";
      }
      case "assign":
        this.#assign(statement.target, this.#parts(statement.value));
        return "next";
      case "if":
        return this.block(
          decided(this.#parts(statement.condition)[0]) ? statement.body : statement.otherwise,
        );
      case "for":
        return this.#for(statement);
      case "return":
        this.#returned = statement.value ? this.#parts(statement.value) : [];
        return "return";
      default:
        return statement.kind;
    }
  }

  #for({ variable, from, to, step, body }: Extract<Statement, { kind: "for" }>): End {
    const scalar = scalarOf(variable.type)!;
    const end = Number(decided(this.#parts(to)[0]));
    let value = Number(decided(this.#parts(from)[0]));
    while (step > 0 ? value < end : value > end) {
      this.#variables.set(variable, [known(value)]);
      const ended = this.block(body);
      if (ended === "break") break;
      if (ended === "return") return ended;
      if (rounded(scalar, value + step) !== value + step) break;
      value += step;
    }
    return "next";
  }

  #assign(target: Target, parts: Parts): void {
    const [root, first] = this.#place(target);
    const before =
      root.kind === "variable" ? this.#variables.get(root.variable)! : this.outputs.get(root.name)!;
    const after = before.map((part, k) => (k >= first && k < first + parts.length ? parts[k - first] : part));
    if (root.kind === "variable") this.#variables.set(root.variable, after);
    else this.outputs.set(root.name, after);
  }

  #place(target: Target): [Extract<Target, { kind: "variable" | "output" }>, first: number] {
    if (target.kind === "variable" || target.kind === "output") return [target, 0];
    const [root, first] = this.#place(target.target);
    if (target.kind === "member") return [root, first + memberFirst(target.target.type, target.member)];
    return [root, first + this.#index(target.index, target.target.type) * scalarCount(target.type)];
  }

  #index(index: Expression, type: Type): number {
    const count = scalarCount(type) / scalarCount(elementOf(type));
    return Math.max(0, Math.min(Number(decided(this.#parts(index)[0])), count - 1));
  }

  #parts(expression: Expression): Parts {
    switch (expression.kind) {
      case "literal":
        return [known(expression.value)];
      case "variable":
        return this.#variables.get(expression.variable)!;
      case "constant": {
        const type = this.#program.constants[expression.name];
        return constantScalars(type, this.#call.constants[expression.name]).map(known);
      }
      case "position": {
        const value = this.#position[expression.which];
        return typeof value === "number" ? [known(value)] : value.map(known);
      }
      case "unary": {
        const scalar = scalarOf(expression.type)!;
        return this.#parts(expression.operand).map((x) => trackedUnary(expression.operator, scalar, x));
      }
      case "binary": {
        const { left, right, operator } = expression;
        const a = { type: left.type, parts: this.#parts(left) };
        return expandBinary(tracked, operator, a, { type: right.type, parts: this.#parts(right) });
      }
      case "builtin": {
        const types = expression.arguments.map(({ type }) => type);
        const values = expression.arguments.map((argument) => this.#parts(argument));
        return expandBuiltin(tracked, expression.name, types, values);
      }
      case "call":
        return this.#called(expression);
      case "construct": {
        if (expression.arguments.length === 0) return zeros(expression.type);
        const parts = expression.arguments.flatMap((argument) => this.#parts(argument));
        const count = scalarCount(expression.type);
        return parts.length === count ? parts : new Array<Tracked>(count).fill(parts[0]);
      }
      case "convert":
      case "bitcast": {
        const [from, to] = [scalarOf(expression.operand.type)!, scalarOf(expression.type)!];
        const made = expression.kind === "convert" ? trackedConvert : trackedBitcast;
        return this.#parts(expression.operand).map((x) => made(from, to, x));
      }
      case "swizzle": {
        const parts = this.#parts(expression.operand);
        return expression.components.map((c) => parts[c]);
      }
      case "index": {
        const width = scalarCount(expression.type);
        const first = this.#index(expression.index, expression.operand.type) * width;
        return this.#parts(expression.operand).slice(first, first + width);
      }
      case "member": {
        const first = memberFirst(expression.operand.type, expression.member);
        return this.#parts(expression.operand).slice(first, first + scalarCount(expression.type));
      }
      case "load": {
        const { inputs } = this.#call;
        const { access, components = 1 } = this.#program.inputs[expression.input];
        const block = inputs[expression.input];
        const indices = expression.indices.map((index) => Number(decided(this.#parts(index)[0])));
        const index = loadIndex(block, access, indices, this.#position, inputs);
        return Array.from({ length: components }, (_, c) =>
          known(block.words[wordOf(block, components, index, c)]),
        );
      }
    }
  }

  #called({ callee, arguments: given }: Extract<Expression, { kind: "call" }>): Parts {
    const values = given.map((argument) => this.#parts(argument));
    const outer = this.#variables;
    this.#variables = new Map(callee.parameters.map((parameter, i) => [parameter, values[i]]));
    this.block(callee.body);
    this.#variables = outer;
    return this.#returned;
  }
}

const zeros = (type: Type): Parts => scalarsOf(type).map((scalar) => known(scalar === "bool" ? false : 0));

function elementOf(type: Type): Type {
  if (type.kind === "array") return type.element;
  if (type.kind === "matrix") return { kind: "vector", size: type.rows, scalar: type.scalar };
  return { kind: "scalar", scalar: scalarOf(type)! };
}

function memberFirst(type: Type, name: string): number {
  if (type.kind !== "struct") return 0;
  const before = type.members.slice(
    0,
    type.members.findIndex((member) => member.name === name),
  );
  return before.reduce((sum, member) => sum + scalarCount(member.type), 0);
}
