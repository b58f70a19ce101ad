/**
 * The reference for what kernels mean: plain functions, one for each node, over numbers and arrays. It also runs kernels
 * where a page forbids generated code, and can watch what they read.
 */

import { constantScalars } from "../constants.ts";
import type {
  BuiltinCall,
  Construct,
  Expression,
  KernelFunction,
  KernelInput,
  KernelProgram,
  Statement,
  Target,
  Variable,
} from "../ir.ts";
import type { InputBlock, KernelArray, KernelCall, ResultLayout } from "../layout.ts";
import {
  binaryScalar,
  bitcastScalar,
  convertScalar,
  rounded,
  type ScalarValue,
  unaryScalar,
} from "../semantics.ts";
import { elementType, type Scalar, scalarOf, type Type } from "../types.ts";
import { componentFunctions, wholeFunctions } from "./functions.ts";
import { clamped, forEachPosition, loadIndex, type Position, wordOf } from "./position.ts";
import { dot, mapScalars, parts, scalarsIn, type Value, valueFrom, zeroOf } from "./values.ts";

interface Frame {
  readonly variables: Map<Variable, Value>;
  readonly context: Context;
  returned: Value | undefined;
}

/** What a body sees beside its variables. */
interface Context {
  readonly constant: (name: string) => Value;
  readonly load: (input: string, indices: readonly number[]) => Value;
  readonly position: Position;
  readonly outputs: Map<string, Value>;
}

type Evaluate = (frame: Frame) => Value;
type Run = (frame: Frame) => "next" | "break" | "continue" | "return";

/** A load that a kernel made: `index` is the element of the input's block. */
export interface WatchedLoad {
  readonly input: string;
  readonly indices: readonly number[];
  readonly index: number;
  readonly position: Position;
}

/** The scalars of values of each parameter, in order, to those of the result. Throws where the function reads inputs. */
export function interpretFunction(
  callable: KernelFunction,
): (...values: readonly (readonly ScalarValue[])[]) => ScalarValue[] {
  const run = compileBlock(callable.body);
  const refuse = () => {
    throw new TypeError(`“${callable.name}” reads a kernel's inputs or constants.`);
  };
  const position: Position = { element: 0, place: 0, at: [0, 0, 0] };
  const context: Context = { constant: refuse, load: refuse, position, outputs: new Map() };
  return (...values) => {
    const variables = new Map(
      callable.parameters.map((parameter, i) => {
        const scalars = values[i].values();
        return [parameter, valueFrom(parameter.type, () => scalars.next().value!)];
      }),
    );
    const frame: Frame = { variables, context, returned: undefined };
    run(frame);
    return scalarsIn(frame.returned ?? zeroOf(callable.result));
  };
}

/** A kernel that runs by interpretation. `watch` is called with each load. */
export function interpretKernel(
  program: KernelProgram,
  watch?: (load: WatchedLoad) => void,
): (call: KernelCall) => void {
  const run = compileBlock(program.body);
  const zeros = Object.entries(program.outputs).map(
    ([name, { scalar, components }]) => [name, zeroOf(elementType(scalar, components))] as const,
  );
  return (call) => {
    const { inputs, outputs, layouts = {}, constants } = call;
    const constantValues = new Map(
      Object.entries(program.constants).map(([name, type]) => [name, constantValue(type, constants[name])]),
    );
    forEachPosition(call, (position, result) => {
      const context: Context = {
        constant: (name) => constantValues.get(name)!,
        load: (name, indices) => {
          const { access } = program.inputs[name];
          const index = loadIndex(inputs[name], access, indices, position, inputs);
          watch?.({ input: name, indices, index, position });
          return elementOf(inputs[name], program.inputs[name], index);
        },
        position,
        outputs: new Map(zeros),
      };
      run({ variables: new Map(), context, returned: undefined });
      for (const [name, value] of context.outputs)
        store(outputs[name], layouts[name], result, scalarsIn(value));
    });
  };
}

function constantValue(type: Type, given: number | readonly number[]): Value {
  const scalars = constantScalars(type, given).values();
  return valueFrom(type, () => scalars.next().value!);
}

function elementOf(block: InputBlock, { components = 1 }: KernelInput, index: number): Value {
  const word = (c: number) => block.words[wordOf(block, components, index, c)];
  return components === 1 ? word(0) : Array.from({ length: components }, (_, c) => word(c));
}

function store(
  words: KernelArray,
  layout: ResultLayout | undefined,
  result: number,
  scalars: readonly ScalarValue[],
): void {
  const { lead, stride, componentStride } = layout ?? { lead: 0, stride: scalars.length, componentStride: 1 };
  scalars.forEach((scalar, c) => {
    words[lead + result * stride + c * componentStride] = Number(scalar);
  });
}

function compileBlock(block: readonly Statement[]): Run {
  const runs = block.map(compileStatement);
  return (frame) => {
    for (const run of runs) {
      const end = run(frame);
      if (end !== "next") return end;
    }
    return "next";
  };
}

function compileStatement(statement: Statement): Run {
  switch (statement.kind) {
    case "declare": {
      const { variable } = statement;
      const value = statement.value ? compile(statement.value) : () => zeroOf(variable.type);
      return (frame) => {
        frame.variables.set(variable, value(frame));
        return "next";
      };
    }
    case "assign": {
      const value = compile(statement.value);
      const assign = compileTarget(statement.target);
      return (frame) => {
        assign(frame, value(frame));
        return "next";
      };
    }
    case "if": {
      const condition = compile(statement.condition);
      const body = compileBlock(statement.body);
      const otherwise = compileBlock(statement.otherwise);
      return (frame) => (condition(frame) ? body(frame) : otherwise(frame));
    }
    case "for":
      return compileFor(statement);
    case "return": {
      const value = statement.value && compile(statement.value);
      return (frame) => {
        frame.returned = value?.(frame);
        return "return";
      };
    }
    default: {
      const { kind } = statement;
      return () => kind;
    }
  }
}

function compileFor({ variable, from, to, step, body }: Extract<Statement, { kind: "for" }>): Run {
  const [start, end] = [compile(from), compile(to)];
  const run = compileBlock(body);
  const scalar = scalarOf(variable.type)!;
  return (frame) => {
    const last = Number(end(frame));
    let value = Number(start(frame));
    while (step > 0 ? value < last : value > last) {
      frame.variables.set(variable, value);
      const ended = run(frame);
      if (ended === "break") break;
      if (ended === "return") return ended;
      const next = value + step;
      if (rounded(scalar, next) !== next) break;
      value = next;
    }
    return "next";
  };
}

/** Writes a value into a variable or an output, or into a part of one. */
function compileTarget(target: Target): (frame: Frame, value: Value) => void {
  switch (target.kind) {
    case "variable":
      return (frame, value) => frame.variables.set(target.variable, value);
    case "output":
      return (frame, value) => frame.context.outputs.set(target.name, value);
    default: {
      const whole = compileRead(target.target);
      const assign = compileTarget(target.target);
      const index = partIndex(target);
      return (frame, value) => {
        const before = parts(whole(frame));
        const i = index(frame, before.length);
        assign(
          frame,
          before.map((part, k) => (k === i ? value : part)),
        );
      };
    }
  }
}

function compileRead(target: Target): Evaluate {
  switch (target.kind) {
    case "variable":
      return (frame) => frame.variables.get(target.variable) as Value;
    case "output":
      return (frame) => frame.context.outputs.get(target.name) as Value;
    default: {
      const whole = compileRead(target.target);
      const index = partIndex(target);
      return (frame) => {
        const value = parts(whole(frame));
        return value[index(frame, value.length)];
      };
    }
  }
}

function partIndex(
  target: Extract<Target, { kind: "index" | "member" }>,
): (frame: Frame, length: number) => number {
  if (target.kind === "member") {
    const member = memberIndex(target.target.type, target.member);
    return () => member;
  }
  const index = compile(target.index);
  return (frame, length) => clamped(Number(index(frame)), length - 1);
}

const memberIndex = (type: Type, member: string): number =>
  type.kind === "struct" ? type.members.findIndex(({ name }) => name === member) : -1;

function compile(expression: Expression): Evaluate {
  switch (expression.kind) {
    case "literal": {
      const { value } = expression;
      return () => value;
    }
    case "variable": {
      const { variable } = expression;
      return (frame) => frame.variables.get(variable) as Value;
    }
    case "constant":
      return ({ context }) => context.constant(expression.name);
    case "position": {
      const { which } = expression;
      return ({ context }) => (which === "at" ? context.position.at : context.position[which]);
    }
    case "unary":
      return compileUnary(expression);
    case "binary":
      return compileBinary(expression);
    case "builtin":
      return compileBuiltin(expression);
    case "call": {
      const { callee } = expression;
      const values = expression.arguments.map(compile);
      const run = compileBlock(callee.body);
      return ({ variables, context }) => {
        const given = new Map(
          callee.parameters.map((parameter, i) => [
            parameter,
            values[i]({ variables, context, returned: undefined }),
          ]),
        );
        const frame: Frame = { variables: given, context, returned: undefined };
        run(frame);
        return frame.returned ?? zeroOf(callee.result);
      };
    }
    case "construct":
      return compileConstruct(expression);
    case "convert": {
      const operand = compile(expression.operand);
      const [from, to] = [scalarOf(expression.operand.type)!, scalarOf(expression.type)!];
      return (frame) => mapScalars((x) => convertScalar(from, to, x), [operand(frame)]);
    }
    case "bitcast": {
      const operand = compile(expression.operand);
      const [from, to] = [scalarOf(expression.operand.type)!, scalarOf(expression.type)!];
      return (frame) => mapScalars((x) => bitcastScalar(from, to, Number(x)), [operand(frame)]);
    }
    case "swizzle": {
      const operand = compile(expression.operand);
      const { components } = expression;
      return (frame) => {
        const value = parts(operand(frame));
        return components.length === 1 ? value[components[0]] : components.map((c) => value[c]);
      };
    }
    case "index": {
      const [operand, index] = [compile(expression.operand), compile(expression.index)];
      return (frame) => {
        const value = parts(operand(frame));
        return value[clamped(Number(index(frame)), value.length - 1)];
      };
    }
    case "member": {
      const operand = compile(expression.operand);
      const member = memberIndex(expression.operand.type, expression.member);
      return (frame) => parts(operand(frame))[member];
    }
    case "load": {
      const indices = expression.indices.map(compile);
      return (frame) =>
        frame.context.load(
          expression.input,
          indices.map((index) => Number(index(frame))),
        );
    }
  }
}

function compileUnary({ operator, operand, type }: Extract<Expression, { kind: "unary" }>): Evaluate {
  const value = compile(operand);
  const scalar = scalarOf(type)!;
  return (frame) => mapScalars((x) => unaryScalar(operator, scalar, x), [value(frame)]);
}

function compileBinary({ operator, left, right }: Extract<Expression, { kind: "binary" }>): Evaluate {
  const [a, b] = [compile(left), compile(right)];
  const scalar = scalarOf(left.type)!;
  if (operator === "&&") return (frame) => (a(frame) ? b(frame) : false);
  if (operator === "||") return (frame) => (a(frame) ? true : b(frame));
  if (operator === "*" && (left.type.kind === "matrix" || right.type.kind === "matrix")) {
    return compileProduct(left.type, right.type, scalar, a, b);
  }
  return (frame) => mapScalars((x, y) => binaryScalar(operator, scalar, x, y), [a(frame), b(frame)]);
}

/** Products of matrices with matrices, vectors and scalars; sums go from the first term on. */
function compileProduct(left: Type, right: Type, scalar: Scalar, a: Evaluate, b: Evaluate): Evaluate {
  const rowOf = (m: Value, row: number) => parts(m).map((column) => parts(column)[row]);
  const times = (m: Value, v: Value, rows: number) =>
    Array.from({ length: rows }, (_, row) => dot(scalar, rowOf(m, row), parts(v)));
  if (left.kind === "matrix" && right.kind === "vector")
    return (frame) => times(a(frame), b(frame), left.rows);
  if (left.kind === "vector" && right.kind === "matrix")
    return (frame) => {
      const v = parts(a(frame));
      return parts(b(frame)).map((column) => dot(scalar, v, parts(column)));
    };
  if (left.kind === "matrix" && right.kind === "matrix")
    return (frame) => {
      const m = a(frame);
      return parts(b(frame)).map((column) => times(m, column, left.rows));
    };
  return (frame) => mapScalars((x, y) => binaryScalar("*", scalar, x, y), [a(frame), b(frame)]);
}

function compileConstruct({ type, arguments: given }: Construct): Evaluate {
  const values = given.map(compile);
  if (values.length === 0) return () => zeroOf(type);
  if (type.kind === "vector" && values.length === 1 && given[0].type.kind === "scalar") {
    return (frame) => new Array<Value>(type.size).fill(values[0](frame));
  }
  if (type.kind === "vector" || type.kind === "matrix") {
    return (frame) => {
      const scalars = values.flatMap((value) => scalarsIn(value(frame)));
      let next = 0;
      return valueFrom(type, () => scalars[next++]);
    };
  }
  return (frame) => values.map((value) => value(frame));
}

function compileBuiltin({ name, arguments: given }: BuiltinCall): Evaluate {
  const values = given.map(compile);
  const types = given.map((argument) => argument.type);
  const scalar = scalarOf(types[0])!;
  const whole = wholeFunctions[name];
  if (whole) {
    return (frame) =>
      whole(
        scalar,
        values.map((value) => value(frame)),
      );
  }
  const byComponent = componentFunctions(name, scalar);
  return (frame) =>
    mapScalars(
      byComponent,
      values.map((value) => value(frame)),
    );
}
