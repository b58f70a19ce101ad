import type { Span } from "../core/errors.ts";
import { nearestName } from "../core/names.ts";
import { checkArguments, literalIndex, literalValue } from "./build.ts";
import { kernelError } from "./errors.ts";
import type {
  Expression,
  KernelFunction,
  KernelInput,
  KernelProgram,
  Statement,
  Target,
  Variable,
} from "./ir.ts";
import { inputType, loadType } from "./loads.ts";
import { bool, isSameType, type StructType, type Type, typeText, u32, vectorOf } from "./types.ts";
import {
  binaryType,
  builtinType,
  checkBitcast,
  checkConstruct,
  checkConvert,
  indexType,
  memberType,
  swizzleType,
  unaryType,
} from "./typing.ts";
import { alwaysReturns, childrenOf } from "./walk.ts";

type Signature = Pick<KernelProgram, "inputs" | "outputs" | "constants">;

/** The rules of functions and of a kernel's body; without a signature, of functions of values. */
export class Checker {
  readonly offsetLoads: Extract<Expression, { kind: "load" }>[] = [];
  private readonly signature: Signature | undefined;
  private readonly structs = new Set<string>();
  private readonly declared = new Set<Variable>();
  private readonly visible = new Set<Variable>();
  private readonly known = new Set<KernelFunction>();
  private loops = 0;

  constructor(signature: Signature | undefined, structs: readonly StructType[]) {
    this.signature = signature;
    for (const { name, members } of structs) {
      if (this.structs.has(name)) {
        throw kernelError(`There are two structs ${name}.`, "Give one of them another name.");
      }
      for (const member of members) this.expectListed(member.type, undefined);
      this.structs.add(name);
    }
  }

  /** Structs are listed, those that others consist of before them. */
  private expectListed(type: Type, span: Span | undefined): void {
    if (type.kind === "array") this.expectListed(type.element, span);
    if (type.kind !== "struct" || this.structs.has(type.name)) return;
    throw kernelError(
      `The struct ${type.name} is not declared.`,
      "List it before those that contain it.",
      span,
    );
  }

  functions(functions: readonly KernelFunction[]): void {
    const names = new Set<string>();
    for (const callable of functions) {
      const { name, parameters, result, body, span } = callable;
      if (names.has(name)) {
        throw kernelError(`There are two functions “${name}”.`, "Give one of them another name.", span);
      }
      names.add(name);
      this.expectListed(result, span);
      this.body(body, parameters, result);
      if (!alwaysReturns(body)) {
        throw kernelError(
          `The function “${name}” can end without a value.`,
          `Return ${typeText(result)} on every way through it.`,
          span,
        );
      }
      this.known.add(callable);
    }
  }

  /** `result` is the type of what is returned; undefined in a kernel. */
  body(statements: readonly Statement[], parameters: readonly Variable[], result: Type | undefined): void {
    for (const parameter of parameters) this.declare(parameter);
    this.block(statements, result);
    for (const parameter of parameters) this.visible.delete(parameter);
  }

  private declare(variable: Variable, span?: Span): void {
    if (this.declared.has(variable)) {
      throw kernelError(`The variable “${variable.name}” is declared twice.`, "Declare another one.", span);
    }
    this.expectListed(variable.type, span);
    this.declared.add(variable);
    this.visible.add(variable);
  }

  private block(statements: readonly Statement[], result: Type | undefined): void {
    const own: Variable[] = [];
    for (const statement of statements) {
      this.statement(statement, result);
      if (statement.kind === "declare") own.push(statement.variable);
    }
    for (const variable of own) this.visible.delete(variable);
  }

  private statement(statement: Statement, result: Type | undefined): void {
    const { span } = statement;
    switch (statement.kind) {
      case "declare": {
        const { variable, value } = statement;
        if (value) {
          this.expression(value);
          expectType(`“${variable.name}”`, variable.type, value);
        } else if (!variable.isMutable) {
          throw kernelError(`“${variable.name}” has no value, and never gets one.`, "Give it one.", span);
        }
        this.declare(variable, span);
        return;
      }
      case "assign":
        this.target(statement.target);
        this.expression(statement.value);
        expectType("What is assigned to", statement.target.type, statement.value);
        return;
      case "if":
        this.expression(statement.condition);
        expectType("A condition", bool, statement.condition);
        this.block(statement.body, result);
        this.block(statement.otherwise, result);
        return;
      case "for":
        this.loop(statement, result);
        return;
      case "break":
      case "continue":
        if (this.loops > 0) return;
        throw kernelError(`“${statement.kind}” stands in no loop.`, "Remove it, or return.", span);
      case "return": {
        const { value } = statement;
        if (value) this.expression(value);
        if (result && value) expectType("The function's result", result, value);
        else if (result) {
          throw kernelError("The function returns no value.", `Return ${typeText(result)}.`, span);
        } else if (value) {
          throw kernelError("A kernel returns no value.", "Assign it to an output.", span);
        }
      }
    }
  }

  private loop(loop: Extract<Statement, { kind: "for" }>, result: Type | undefined): void {
    const { variable, from, to, step, body, span } = loop;
    const { type } = variable;
    if (type.kind !== "scalar" || (type.scalar !== "i32" && type.scalar !== "u32")) {
      throw kernelError(`A loop cannot count in ${typeText(type)}.`, "Its variable is i32 or u32.", span);
    }
    if (literalValue(Math.abs(step), type.scalar) === undefined || step === 0) {
      throw kernelError(
        `A loop cannot count by ${step}.`,
        `Its step is a number of ${type.scalar}, and not 0.`,
        span,
      );
    }
    if (variable.isMutable) {
      throw kernelError(
        `The loop's variable “${variable.name}” can be assigned to.`,
        "Make it immutable.",
        span,
      );
    }
    for (const bound of [from, to]) {
      this.expression(bound);
      expectType(`The loop's “${variable.name}”`, type, bound);
    }
    this.declare(variable, span);
    this.loops++;
    this.block(body, result);
    this.loops--;
    this.visible.delete(variable);
  }

  private target(target: Target): void {
    const { span } = target;
    switch (target.kind) {
      case "variable": {
        const { variable } = target;
        if (!variable.isMutable) {
          throw kernelError(
            `“${variable.name}” cannot be assigned to.`,
            "Only what is declared with var changes: not what is declared with let, parameters or the variables of loops.",
            span,
          );
        }
        this.expectVisible(variable, span);
        sameType(target.type, variable.type, span);
        return;
      }
      case "output": {
        const outputs = this.signature?.outputs ?? {};
        sameType(target.type, inputType(named("output", target.name, outputs, span)), span);
        return;
      }
      case "index":
        this.target(target.target);
        this.expression(target.index);
        sameType(
          target.type,
          indexType(target.target.type, target.index.type, literalIndex(target.index), span),
          span,
        );
        return;
      case "member":
        this.target(target.target);
        sameType(target.type, memberType(target.target.type, target.member, span), span);
    }
  }

  private expectVisible(variable: Variable, span: Span | undefined): void {
    if (this.visible.has(variable)) return;
    throw kernelError(
      `The variable “${variable.name}” is used where it is not declared.`,
      "Declare it before, in the same block or in one around it.",
      span,
    );
  }

  private expression(expression: Expression): void {
    for (const child of childrenOf(expression)) this.expression(child);
    sameType(expression.type, this.typeOf(expression), expression.span);
  }

  /** By the rules of `typing.ts`, of the parts, which have been checked. */
  private typeOf(expression: Expression): Type {
    const { span } = expression;
    switch (expression.kind) {
      case "literal": {
        const { type, value } = expression;
        if (Object.is(literalValue(value, type.scalar), value)) return type;
        throw kernelError(
          `${value} is not a value of ${typeText(type)}.`,
          "Make literals with `literal`.",
          span,
        );
      }
      case "variable":
        this.expectVisible(expression.variable, span);
        return expression.variable.type;
      case "constant":
        return named("constant", expression.name, this.signature?.constants ?? {}, span);
      case "position":
        if (this.signature) return expression.which === "at" ? vectorOf("u32", 3) : u32;
        throw kernelError(`“${expression.which}” is known only in kernels.`, "Pass it as an argument.", span);
      case "unary":
        return unaryType(expression.operator, expression.operand.type, span);
      case "binary":
        return binaryType(expression.operator, expression.left.type, expression.right.type, span);
      case "builtin":
        return builtinType(
          expression.name,
          expression.arguments.map(({ type }) => type),
          span,
        );
      case "call":
        checkArguments(expression.callee, expression.arguments, span);
        if (this.known.has(expression.callee)) return expression.callee.result;
        throw kernelError(
          `The function “${expression.callee.name}” is called before it is declared, or by itself.`,
          "List functions before those that call them.",
          span,
        );
      case "construct":
        this.expectListed(expression.type, span);
        checkConstruct(
          expression.type,
          expression.arguments.map(({ type }) => type),
          span,
        );
        return expression.type;
      case "convert":
        checkConvert(expression.operand.type, expression.type, span);
        return expression.type;
      case "bitcast":
        checkBitcast(expression.operand.type, expression.type, span);
        return expression.type;
      case "swizzle":
        return swizzleType(expression.operand.type, expression.components, span);
      case "index":
        return indexType(
          expression.operand.type,
          expression.index.type,
          literalIndex(expression.index),
          span,
        );
      case "member":
        return memberType(expression.operand.type, expression.member, span);
      case "load": {
        const input = named<KernelInput>("input", expression.input, this.signature?.inputs ?? {}, span);
        if (input.access.kind === "offsets") this.offsetLoads.push(expression);
        return loadType(expression.input, input, expression.indices, span);
      }
    }
  }
}

function named<T>(what: string, name: string, known: Readonly<Record<string, T>>, span?: Span): T {
  if (Object.hasOwn(known, name)) return known[name];
  const near = nearestName(name, Object.keys(known));
  throw kernelError(
    `There is no ${what} “${name}”.`,
    near ? `Did you mean “${near}”?` : `Declare the ${what}.`,
    span,
  );
}

function sameType(stated: Type, found: Type, span: Span | undefined): void {
  if (isSameType(stated, found)) return;
  throw kernelError(
    `A node says that it is ${typeText(stated)}, and is ${typeText(found)}.`,
    "Make nodes with the functions of build.ts.",
    span,
  );
}

function expectType(what: string, type: Type, value: Expression): void {
  if (isSameType(value.type, type)) return;
  throw kernelError(
    `${what} is ${typeText(type)}, and the value is ${typeText(value.type)}.`,
    "Convert it.",
    value.span,
  );
}
