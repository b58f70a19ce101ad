/** What kernel text reads as, before names and types are looked at. */
import type { Span } from "../../core/errors.ts";
import type { BinaryOperator, UnaryOperator } from "../ir.ts";

interface Placed {
  readonly span: Span;
}

export interface Name extends Placed {
  readonly text: string;
}

/** `f32`, `vec3<f32>`, `array<vec2<u32>, 4>`: a name with what stands between the angle brackets. */
export interface TypeSyntax extends Placed {
  readonly name: string;
  readonly element: TypeSyntax | undefined;
  readonly length: ExpressionSyntax | undefined;
}

export type ExpressionSyntax =
  | (Placed & { readonly kind: "number"; readonly text: string })
  | (Placed & { readonly kind: "boolean"; readonly value: boolean })
  | (Placed & { readonly kind: "name"; readonly name: string })
  | (Placed & {
      readonly kind: "call";
      /** A function's name or a type's. */
      readonly callee: TypeSyntax;
      readonly arguments: readonly ExpressionSyntax[];
    })
  | (Placed & {
      readonly kind: "unary";
      readonly operator: UnaryOperator;
      readonly operand: ExpressionSyntax;
    })
  | (Placed & {
      readonly kind: "binary";
      readonly operator: BinaryOperator;
      readonly left: ExpressionSyntax;
      readonly right: ExpressionSyntax;
    })
  | (Placed & { readonly kind: "member"; readonly operand: ExpressionSyntax; readonly member: Name })
  | (Placed & {
      readonly kind: "index";
      readonly operand: ExpressionSyntax;
      readonly index: ExpressionSyntax;
    });

export interface DeclareSyntax extends Placed {
  readonly kind: "declare";
  readonly keyword: "let" | "var" | "const";
  readonly name: Name;
  readonly type: TypeSyntax | undefined;
  readonly value: ExpressionSyntax | undefined;
}

/** `x = 1`, `x += 1`, and `x++` as `x += 1`. */
export interface AssignSyntax extends Placed {
  readonly kind: "assign";
  readonly target: ExpressionSyntax;
  readonly operator: BinaryOperator | undefined;
  readonly value: ExpressionSyntax;
}

export interface ForSyntax extends Placed {
  readonly kind: "for";
  readonly start: DeclareSyntax;
  readonly condition: ExpressionSyntax;
  readonly step: AssignSyntax;
  readonly body: readonly StatementSyntax[];
}

export interface IfSyntax extends Placed {
  readonly kind: "if";
  readonly condition: ExpressionSyntax;
  readonly body: readonly StatementSyntax[];
  readonly otherwise: readonly StatementSyntax[];
}

export type StatementSyntax =
  | DeclareSyntax
  | AssignSyntax
  | ForSyntax
  | IfSyntax
  | (Placed & { readonly kind: "break" | "continue" })
  | (Placed & { readonly kind: "return"; readonly value: ExpressionSyntax | undefined });

export interface MemberSyntax {
  readonly name: Name;
  readonly type: TypeSyntax;
}

export interface FunctionSyntax extends Placed {
  readonly name: Name;
  readonly parameters: readonly MemberSyntax[];
  readonly result: TypeSyntax;
  readonly body: readonly StatementSyntax[];
}

export interface StructSyntax extends Placed {
  readonly name: Name;
  readonly members: readonly MemberSyntax[];
}

export interface ModuleSyntax {
  readonly structs: readonly StructSyntax[];
  readonly functions: readonly FunctionSyntax[];
  /** Statements outside functions, in their order. */
  readonly body: readonly StatementSyntax[];
}
