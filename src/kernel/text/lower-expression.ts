import type { Span } from "../../core/errors.ts";
import { nearestName } from "../../core/names.ts";
import * as build from "../build.ts";
import { builtins } from "../builtins.ts";
import { counted, kernelError } from "../errors.ts";
import type { Expression } from "../ir.ts";
import { elementType, type Scalar, scalarOf, type Type, typeText } from "../types.ts";
import {
  type Abstract,
  abstractNumber,
  abstractWhole,
  combine,
  type Lowered,
  negate,
  settle,
  settleAs,
  settleTo,
  settleTogether,
} from "./abstract.ts";
import type { Environment } from "./environment.ts";
import { lowerCallOfInput } from "./lower-input.ts";
import { numberValue } from "./numbers.ts";
import { namedType, resolveType, withoutScalar } from "./resolve-type.ts";
import { type Scope, unknownName } from "./scope.ts";
import type { ExpressionSyntax, Name, TypeSyntax } from "./syntax.ts";

type Call = Extract<ExpressionSyntax, { kind: "call" }>;
type MemberAccess = Extract<ExpressionSyntax, { kind: "member" }>;

const positions = ["element", "place", "at"] as const;
const isAbstract = (value: Lowered): value is Abstract => value.kind === "abstract";

/** Expressions of a text as nodes: names, types and functions found, numbers without a type given one. */
export class ExpressionLowering {
  private readonly environment: Environment;

  constructor(environment: Environment) {
    this.environment = environment;
  }

  lower(syntax: ExpressionSyntax, scope: Scope): Lowered {
    const { span } = syntax;
    switch (syntax.kind) {
      case "number":
        return numberValue(syntax.text, span);
      case "boolean":
        return build.literal(syntax.value, { kind: "scalar", scalar: "bool" }, span);
      case "name":
        return this.name({ text: syntax.name, span }, scope);
      case "unary": {
        const operand = this.lower(syntax.operand, scope);
        if (isAbstract(operand) && syntax.operator === "-") return negate(operand, span);
        return build.unary(syntax.operator, settle(operand), span);
      }
      case "binary":
        return combine(
          syntax.operator,
          this.lower(syntax.left, scope),
          this.lower(syntax.right, scope),
          span,
        );
      case "member":
        return this.member(syntax, scope);
      case "index": {
        const operand = settle(this.lower(syntax.operand, scope));
        return build.index(operand, settle(this.lower(syntax.index, scope)), span);
      }
      case "call":
        return this.call(syntax, scope);
    }
  }

  private name(name: Name, scope: Scope): Lowered {
    const binding = scope.find(name.text);
    if (binding && "variable" in binding) return build.read(binding.variable, name.span);
    if (binding) return { ...binding.constant, span: name.span };
    const { signature } = this.environment;
    const which = signature && positions.find((position) => position === name.text);
    if (which) return build.position(which, name.span);
    if (signature && Object.hasOwn(signature.inputs, name.text)) {
      throw kernelError(
        `The input “${name.text}” is named without parentheses.`,
        `Read an element of it: ${name.text}(…).`,
        name.span,
      );
    }
    if (signature && Object.hasOwn(signature.constants, name.text)) {
      throw kernelError(
        `“${name.text}” is a constant of the kernel.`,
        `Write constants.${name.text}.`,
        name.span,
      );
    }
    throw unknownName(name, [...scope.names(), ...(signature ? positions : [])]);
  }

  private member({ operand, member, span }: MemberAccess, scope: Scope): Lowered {
    const { signature } = this.environment;
    const base = operand.kind === "name" && !scope.find(operand.name) ? operand.name : undefined;
    if (signature && base === "constants") {
      const { constants } = signature;
      if (!Object.hasOwn(constants, member.text))
        throw unknownName(member, Object.keys(constants), "constant");
      return build.constant(member.text, constants[member.text], span);
    }
    if (signature && base === "out") {
      throw kernelError(
        `The output “${member.text}” is read.`,
        "Outputs are only written: keep the value in a var, and set the output at the end.",
        span,
      );
    }
    const value = settle(this.lower(operand, scope));
    return value.type.kind === "struct"
      ? build.member(value, member.text, span)
      : build.swizzle(value, member.text, span);
  }

  private call(syntax: Call, scope: Scope): Lowered {
    const { callee, span } = syntax;
    const name: Name = { text: callee.name, span: callee.span };
    if (scope.find(name.text)) {
      throw kernelError(
        `“${name.text}” is a value, and is called like a function.`,
        "Call a function, or name it otherwise.",
        name.span,
      );
    }
    const values = syntax.arguments.map((argument) => this.lower(argument, scope));
    if (name.text === "bitcast") return this.bitcast(callee, values, span);
    const input = this.environment.signature?.inputs[name.text];
    if (input && Object.hasOwn(this.environment.signature!.inputs, name.text)) {
      return lowerCallOfInput(name.text, input, values, span);
    }
    const callable = this.environment.functionNamed(name);
    if (callable) {
      const { parameters } = callable;
      const settled =
        values.length === parameters.length
          ? values.map((value, i) =>
              settleTo(value, parameters[i].type, `The argument “${parameters[i].name}” of “${name.text}”`),
            )
          : values.map(settle);
      return build.call(callable, settled, span);
    }
    if (builtins.has(name.text)) return this.builtin(name.text, values, span);
    const make = callee.element ? undefined : withoutScalar(name.text);
    if (make) return this.untypedConstruct(make, values, span);
    if (callee.element || namedType(name.text, this.environment)) {
      return this.construct(resolveType(callee, this.environment), values, span);
    }
    throw this.unknownFunction(name);
  }

  private unknownFunction(name: Name) {
    const { signature } = this.environment;
    const known = [
      ...Object.keys(signature?.inputs ?? {}),
      ...this.environment.functionNames(),
      ...builtins.keys(),
      ...this.environment.names(),
      ...["f32", "f64", "i32", "u32", "bool", "vec2f", "vec3f", "vec4f", "array"],
    ];
    const near = nearestName(name.text, known);
    return kernelError(
      `There is no function “${name.text}”.`,
      near ? `Did you mean “${near}”?` : "docs/kernels.md lists the built-in ones.",
      name.span,
    );
  }

  private bitcast(callee: TypeSyntax, values: readonly Lowered[], span: Span): Expression {
    if (!callee.element || callee.length || values.length !== 1) {
      throw kernelError("bitcast takes a type and one value.", "Write bitcast<u32>(x).", span);
    }
    return build.bitcast(resolveType(callee.element, this.environment), settle(values[0]), span);
  }

  /** Numbers without a type get that of T, which the others among those that T stands for have. */
  private builtin(name: string, values: readonly Lowered[], span: Span): Lowered {
    const { parameters, scalars, result } = builtins.get(name)!;
    const slots = Object.values(parameters);
    if (values.length !== slots.length) {
      throw kernelError(
        `“${name}” is called with ${counted(values.length, "argument")}.`,
        `It is ${name}(${Object.keys(parameters).join(", ")}).`,
        span,
      );
    }
    const ofT = (_: unknown, i: number) =>
      slots[i] === "T" || slots[i] === "scalar" || slots[i] === "T or scalar";
    const fixed = (value: Lowered, i: number) =>
      slots[i] === "u32" ? settleAs(value, "u32") : settle(value);
    const generic = values.filter(ofT);
    const make = (scalar: Scalar | undefined) => {
      const settled = scalar ? generic.map((value) => settleAs(value, scalar)) : settleTogether(generic);
      const rest = [...settled];
      return build.builtin(
        name,
        values.map((value, i) => (ofT(value, i) ? rest.shift()! : fixed(value, i))),
        span,
      );
    };
    if (generic.length === 0 || !generic.every(isAbstract)) return make(undefined);
    const isFloat = generic.some(({ isFloat }) => isFloat) || !scalars.includes("i32");
    return result === "T" || result === "scalar"
      ? abstractWhole(isFloat, span, make)
      : make(isFloat ? "f32" : "i32");
  }

  /** `vec3(1, x, y)`: the scalar is that of the parts that have one. */
  private untypedConstruct(make: (scalar: Scalar) => Type, values: readonly Lowered[], span: Span): Lowered {
    if (values.length === 0) {
      throw kernelError(
        "The type of the components is not known.",
        `Write ${typeText(make("f32"))}().`,
        span,
      );
    }
    const isMatrix = make("f32").kind === "matrix";
    if (values.every(isAbstract)) {
      const isFloat = isMatrix || values.some(({ isFloat }) => isFloat);
      return abstractWhole(isFloat, span, (scalar) => this.construct(make(scalar), values, span));
    }
    const settled = settleTogether(values);
    const scalar = settled.map(({ type }) => scalarOf(type)).find((found) => found !== undefined);
    return this.construct(make(scalar ?? "f32"), settled, span);
  }

  /** A value of the type made of parts, or converted from another type. */
  construct(type: Type, values: readonly Lowered[], span: Span): Expression {
    if (type.kind === "scalar") return this.scalar(type.scalar, values, span);
    if (type.kind === "vector" && values.length === 1) {
      const [value] = values;
      const part = isAbstract(value) ? settleAs(value, type.scalar) : value;
      if (part.type.kind === "vector") return build.convert(type, part, span);
    }
    const scalar = scalarOf(type);
    const parts = values.map((value, i) => {
      if (scalar) return settleAs(value, scalar);
      const partType =
        type.kind === "array" ? type.element : type.kind === "struct" ? type.members[i]?.type : undefined;
      const what =
        type.kind === "struct"
          ? `The member “${type.members[i]?.name}” of ${type.name}`
          : `An element of ${typeText(type)}`;
      return partType ? settleTo(value, partType, what) : settle(value);
    });
    return build.construct(type, parts, span);
  }

  private scalar(scalar: Scalar, values: readonly Lowered[], span: Span): Expression {
    const type = elementType(scalar);
    if (values.length > 1) {
      throw kernelError(
        `${scalar}(…) is called with ${counted(values.length, "argument")}.`,
        "It converts one value.",
        span,
      );
    }
    const [value] = values;
    if (!value) {
      return scalar === "bool"
        ? build.literal(false, { kind: "scalar", scalar }, span)
        : settleAs(abstractNumber(0, false, span), scalar);
    }
    if (!isAbstract(value)) return build.convert(type, value, span);
    const isInteger = scalar === "i32" || scalar === "u32";
    if (value.value !== undefined && isInteger)
      return abstractNumber(Math.trunc(value.value), false, span).as(scalar);
    if (scalar === "bool" || (isInteger && value.isFloat)) return build.convert(type, settle(value), span);
    return settleAs({ ...value, span }, scalar);
  }
}

/** The part of a vector that a letter names, as an index; undefined of anything else. */
export function letterIndex(type: Type, letters: string): number | undefined {
  if (type.kind !== "vector" || letters.length !== 1) return undefined;
  const found = Math.max("xyzw".indexOf(letters), "rgba".indexOf(letters));
  return found >= 0 && found < type.size ? found : undefined;
}
