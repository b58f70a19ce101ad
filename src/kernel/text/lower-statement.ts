import * as build from "../build.ts";
import { kernelError } from "../errors.ts";
import type { Expression, Statement, Target, Variable } from "../ir.ts";
import { inputType } from "../loads.ts";
import { bool, f32, type Type, typeText, u32 } from "../types.ts";
import { indexType, memberType } from "../typing.ts";
import { isConstant } from "../walk.ts";
import { combine, type Lowered, settle, settleTo } from "./abstract.ts";
import type { Environment } from "./environment.ts";
import { ExpressionLowering, letterIndex } from "./lower-expression.ts";
import { lowerFor } from "./lower-loop.ts";
import { resolveType } from "./resolve-type.ts";
import { Scope, unknownName } from "./scope.ts";
import type { AssignSyntax, DeclareSyntax, ExpressionSyntax, StatementSyntax } from "./syntax.ts";

const reserved: ReadonlySet<string> = new Set(["element", "place", "at", "constants", "out"]);

/** Statements of a text as nodes. */
export class StatementLowering {
  readonly environment: Environment;
  readonly expressions: ExpressionLowering;

  constructor(environment: Environment) {
    this.environment = environment;
    this.expressions = new ExpressionLowering(environment);
  }

  /** `result` is the type of what the function around returns; undefined in a kernel. */
  block(statements: readonly StatementSyntax[], outer: Scope, result: Type | undefined): Statement[] {
    const scope = new Scope(outer);
    return statements.flatMap((statement) => this.statement(statement, scope, result) ?? []);
  }

  private statement(syntax: StatementSyntax, scope: Scope, result: Type | undefined): Statement | undefined {
    const { span } = syntax;
    switch (syntax.kind) {
      case "declare":
        return syntax.keyword === "const" ? this.declareConstant(syntax, scope) : this.declare(syntax, scope);
      case "assign":
        return this.assign(syntax, scope);
      case "if":
        return {
          kind: "if",
          condition: settleTo(this.expressions.lower(syntax.condition, scope), bool, "A condition"),
          body: this.block(syntax.body, scope, result),
          otherwise: this.block(syntax.otherwise, scope, result),
          span,
        };
      case "for":
        return lowerFor(syntax, scope, this, result);
      case "return": {
        if (!syntax.value) return { kind: "return", value: undefined, span };
        if (!result) {
          throw kernelError(
            "A kernel returns no value.",
            "Assign it to an output: out.name = ….",
            syntax.value.span,
          );
        }
        const value = settleTo(this.expressions.lower(syntax.value, scope), result, "The function's result");
        return { kind: "return", value, span };
      }
      default:
        return { kind: syntax.kind, span };
    }
  }

  /** The declared type, or that of the value. */
  value({ name, type, value }: DeclareSyntax, scope: Scope): Lowered | undefined {
    const lowered = value && this.expressions.lower(value, scope);
    if (!type || !lowered) return lowered;
    return settleTo(lowered, resolveType(type, this.environment), `“${name.text}”`);
  }

  declareConstant(syntax: DeclareSyntax, scope: Scope): undefined {
    this.refuseReserved(syntax);
    const constant = this.value(syntax, scope)!;
    if (constant.kind !== "abstract" && !isConstant(constant)) {
      throw kernelError(
        `“${syntax.name.text}” is not known when the kernel is compiled.`,
        "Use let for values that are computed in the kernel.",
        constant.span,
      );
    }
    scope.declare(syntax.name, { constant });
  }

  private declare(syntax: DeclareSyntax, scope: Scope): Statement {
    this.refuseReserved(syntax);
    const { name, keyword, type, span } = syntax;
    const lowered = this.value(syntax, scope);
    const value = lowered && settle(lowered);
    const variable: Variable = {
      name: name.text,
      type: value?.type ?? (type ? resolveType(type, this.environment) : f32),
      isMutable: keyword === "var",
    };
    scope.declare(name, { variable });
    return { kind: "declare", variable, value, span };
  }

  refuseReserved({ name }: Pick<DeclareSyntax, "name">): void {
    if (!this.environment.signature || !reserved.has(name.text)) return;
    throw kernelError(
      `“${name.text}” has a meaning of its own in kernels.`,
      "Choose another name.",
      name.span,
    );
  }

  private assign({ target, operator, value, span }: AssignSyntax, scope: Scope): Statement {
    const place = this.target(target, scope);
    const given = this.expressions.lower(value, scope);
    if (operator === undefined) {
      return { kind: "assign", target: place, value: settleTo(given, place.type, targetName(place)), span };
    }
    const before = this.expressions.lower(target, scope);
    const after = combine(operator, before, given, span);
    return { kind: "assign", target: place, value: settleTo(after, place.type, targetName(place)), span };
  }

  private target(syntax: ExpressionSyntax, scope: Scope): Target {
    const { span } = syntax;
    if (syntax.kind === "name") {
      const binding = scope.find(syntax.name);
      if (binding && "variable" in binding) {
        return { kind: "variable", variable: binding.variable, type: binding.variable.type, span };
      }
      if (!binding) throw unknownName({ text: syntax.name, span }, scope.names(), "variable");
    }
    if (syntax.kind === "index") {
      const target = this.target(syntax.operand, scope);
      const index = settle(this.expressions.lower(syntax.index, scope));
      const type = indexType(target.type, index.type, build.literalIndex(index), span);
      return { kind: "index", target, index, type, span };
    }
    if (syntax.kind === "member") {
      const { operand, member } = syntax;
      const signature = this.environment.signature;
      if (signature && operand.kind === "name" && operand.name === "out") {
        const output = signature.outputs[member.text];
        if (Object.hasOwn(signature.outputs, member.text)) {
          return { kind: "output", name: member.text, type: inputType(output), span };
        }
        throw unknownName(member, Object.keys(signature.outputs), "output");
      }
      const target = this.target(operand, scope);
      const letter = letterIndex(target.type, member.text);
      if (letter !== undefined) {
        const index: Expression = build.literal(letter, u32, member.span);
        return { kind: "index", target, index, type: indexType(target.type, u32, letter, span), span };
      }
      if (target.type.kind === "vector" && member.text.length > 1) {
        throw kernelError(
          "Several components cannot be assigned at once.",
          "Assign one after the other.",
          span,
        );
      }
      return {
        kind: "member",
        target,
        member: member.text,
        type: memberType(target.type, member.text, span),
        span,
      };
    }
    throw kernelError(
      "This cannot be assigned to.",
      "Assign to a var or to an output, as in out.name = ….",
      span,
    );
  }
}

function targetName(target: Target): string {
  switch (target.kind) {
    case "variable":
      return `“${target.variable.name}”`;
    case "output":
      return `The output “${target.name}”`;
    case "index":
      return `An element of ${typeText(target.target.type)}`;
    case "member":
      return `The member “${target.member}”`;
  }
}
