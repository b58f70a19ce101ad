import type { CrinkleError, Span } from "../../../core/errors.ts";

export type BinaryOperator =
  | "+"
  | "-"
  | "*"
  | "/"
  | "%"
  | "^"
  | "<"
  | "<="
  | ">"
  | ">="
  | "=="
  | "!="
  | "and"
  | "or";

export type UnaryOperator = "-" | "not";

interface NodeBase {
  readonly span: Span;
}

export interface NumberLiteral extends NodeBase {
  readonly kind: "number";
  readonly value: number;
}

/** A name used as a value: written bare, in double quotes, or in angle brackets. */
export interface Name extends NodeBase {
  readonly kind: "name";
  readonly name: string;
  readonly quoted: boolean;
}

export interface Unary extends NodeBase {
  readonly kind: "unary";
  readonly operator: UnaryOperator;
  readonly operand: Expression;
}

export interface Binary extends NodeBase {
  readonly kind: "binary";
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

/** `if c then a else b`. (`if(c, a, b)` is a call of `if`.) */
export interface Conditional extends NodeBase {
  readonly kind: "conditional";
  readonly condition: Expression;
  readonly consequent: Expression;
  readonly alternative: Expression;
}

export interface Call extends NodeBase {
  readonly kind: "call";
  readonly callee: string;
  readonly calleeSpan: Span;
  readonly args: readonly Expression[];
}

export interface Index extends NodeBase {
  readonly kind: "index";
  readonly target: Expression;
  readonly index: Expression;
}

/** `{a, b, c}`. */
export interface VectorLiteral extends NodeBase {
  readonly kind: "vector";
  readonly elements: readonly Expression[];
}

export type Expression = NumberLiteral | Name | Unary | Binary | Conditional | Call | Index | VectorLiteral;

/** `name = value`, or a last `value` alone, whose name is “result” and whose `nameSpan` is undefined. */
export interface Statement extends NodeBase {
  readonly kind: "value";
  readonly name: string;
  readonly nameSpan: Span | undefined;
  /** Undefined if the statement has a syntax error; its name is still known. */
  readonly value: Expression | undefined;
}

export interface Parameter {
  readonly name: string;
  readonly span: Span;
}

/** `def name(a, b) = body`. */
export interface FunctionDefinition extends NodeBase {
  readonly kind: "function";
  readonly name: string;
  readonly nameSpan: Span;
  readonly parameters: readonly Parameter[];
  /** Undefined if the definition has a syntax error; its name is still known. */
  readonly body: Expression | undefined;
}

export interface Program {
  /** In the order of the text. */
  readonly statements: readonly (Statement | FunctionDefinition)[];
}

/** The statements that have values. */
export function valueStatements({ statements }: Program): readonly Statement[] {
  return statements.filter((statement) => statement.kind === "value");
}

/** Name of the output of a last statement without a name. */
export const resultName = "result";

export interface ParseResult {
  /** The statements that could be read. */
  readonly program: Program;
  /** In the order of the text; empty if the text is well formed. */
  readonly errors: readonly CrinkleError[];
}
