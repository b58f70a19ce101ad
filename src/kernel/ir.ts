/**
 * The intermediate representation of kernels: typed expressions and structured statements, without recursion and with
 * bounded loops alone. Front ends build it (kernel text, the expression language), `check` holds it to its rules,
 * `simplify` shortens it, and emitters and the interpreter run it. All nodes are immutable data.
 */
import type { Span } from "../core/errors.ts";
import type { Access } from "../core/primitives/access.ts";
import type { Extent, Scalar, StructType, Type } from "./types.ts";

interface Node {
  /** Where it stands in the text that it came from, if any. */
  readonly span?: Span;
}

/** What a name stands for. Identity decides: two variables may have the same name in different scopes. */
export interface Variable {
  readonly name: string;
  readonly type: Type;
  /** `let` and parameters keep their value. */
  readonly isMutable: boolean;
}

export interface Literal extends Node {
  readonly kind: "literal";
  readonly type: { readonly kind: "scalar"; readonly scalar: Scalar };
  readonly value: number | boolean;
}

export interface VariableRead extends Node {
  readonly kind: "variable";
  readonly type: Type;
  readonly variable: Variable;
}

/** A value that is the same for all elements of a dispatch: a member of the kernel's constants. */
export interface ConstantRead extends Node {
  readonly kind: "constant";
  readonly type: Type;
  readonly name: string;
}

/**
 * Where the kernel is: `element`, the flat number of its element in the whole iteration space; `place`, the number of the
 * result that it writes (the same unless a vector says at which element each result is); `at`, the element's place in
 * the grid (vec3<u32>), for kernels over a grid.
 */
export interface PositionRead extends Node {
  readonly kind: "position";
  readonly type: Type;
  readonly which: "element" | "place" | "at";
}

export type UnaryOperator = "-" | "!" | "~";

export interface Unary extends Node {
  readonly kind: "unary";
  readonly type: Type;
  readonly operator: UnaryOperator;
  readonly operand: Expression;
}

export type BinaryOperator =
  | "+"
  | "-"
  | "*"
  | "/"
  | "%"
  | "=="
  | "!="
  | "<"
  | "<="
  | ">"
  | ">="
  | "&"
  | "|"
  | "^"
  | "<<"
  | ">>"
  | "&&"
  | "||";

/** As in WGSL: by component, a scalar beside a vector meets each component, `*` also multiplies matrices. */
export interface Binary extends Node {
  readonly kind: "binary";
  readonly type: Type;
  readonly operator: BinaryOperator;
  readonly left: Expression;
  readonly right: Expression;
}

/** A function of `builtins.ts`, by its name there. */
export interface BuiltinCall extends Node {
  readonly kind: "builtin";
  readonly type: Type;
  readonly name: string;
  readonly arguments: readonly Expression[];
}

export interface FunctionCall extends Node {
  readonly kind: "call";
  readonly type: Type;
  readonly callee: KernelFunction;
  readonly arguments: readonly Expression[];
}

/**
 * A vector of scalars and vectors (or one scalar for all components), a matrix of columns (or of scalars), an array of
 * elements, a struct of members; zero where there are no arguments.
 */
export interface Construct extends Node {
  readonly kind: "construct";
  readonly type: Type;
  readonly arguments: readonly Expression[];
}

/** Numbers or booleans to another scalar type, by component (see `docs/kernels.md` for NaN and values out of range). */
export interface Convert extends Node {
  readonly kind: "convert";
  readonly type: Type;
  readonly operand: Expression;
}

/** The same 32 bits as another type: f32, i32 and u32 alone. */
export interface Bitcast extends Node {
  readonly kind: "bitcast";
  readonly type: Type;
  readonly operand: Expression;
}

/** Components of a vector: one makes a scalar. */
export interface Swizzle extends Node {
  readonly kind: "swizzle";
  readonly type: Type;
  readonly operand: Expression;
  readonly components: readonly (0 | 1 | 2 | 3)[];
}

/** A component of a vector, a column of a matrix, an element of an array. Indices out of range are clamped to it. */
export interface Index extends Node {
  readonly kind: "index";
  readonly type: Type;
  readonly operand: Expression;
  readonly index: Expression;
}

export interface Member extends Node {
  readonly kind: "member";
  readonly type: Type;
  readonly operand: Expression;
  readonly member: string;
}

/** An element of an input, through its accessor: what `indices` mean is the access's affair (`access.ts`). */
export interface Load extends Node {
  readonly kind: "load";
  readonly type: Type;
  readonly input: string;
  readonly indices: readonly Expression[];
}

export type Expression =
  | Literal
  | VariableRead
  | ConstantRead
  | PositionRead
  | Unary
  | Binary
  | BuiltinCall
  | FunctionCall
  | Construct
  | Convert
  | Bitcast
  | Swizzle
  | Index
  | Member
  | Load;

/** A mutable variable, or an output of the kernel, or a part of one. */
export type Target =
  | { readonly kind: "variable"; readonly variable: Variable; readonly type: Type; readonly span?: Span }
  | { readonly kind: "output"; readonly name: string; readonly type: Type; readonly span?: Span }
  | {
      readonly kind: "index";
      readonly target: Target;
      readonly index: Expression;
      readonly type: Type;
      readonly span?: Span;
    }
  | {
      readonly kind: "member";
      readonly target: Target;
      readonly member: string;
      readonly type: Type;
      readonly span?: Span;
    };

/** `let x = value` or `var x = value`; a variable without a value begins as zero. */
export interface Declare extends Node {
  readonly kind: "declare";
  readonly variable: Variable;
  readonly value: Expression | undefined;
}

export interface Assign extends Node {
  readonly kind: "assign";
  readonly target: Target;
  readonly value: Expression;
}

export interface If extends Node {
  readonly kind: "if";
  readonly condition: Expression;
  readonly body: readonly Statement[];
  readonly otherwise: readonly Statement[];
}

/**
 * The body for variable = from, from + step, … while it is below `to` (above it where the step is negative). `from` and
 * `to` are taken once, before the first turn; the variable is not assigned to in the body; `step` is a number, not 0. A turn whose
 * next value would leave the type's range is the last.
 */
export interface For extends Node {
  readonly kind: "for";
  readonly variable: Variable;
  readonly from: Expression;
  readonly to: Expression;
  readonly step: number;
  readonly body: readonly Statement[];
}

/** Of the innermost loop. */
export interface Jump extends Node {
  readonly kind: "break" | "continue";
}

/** From a function with its value; from a kernel, which ends with what its outputs hold, without one. */
export interface Return extends Node {
  readonly kind: "return";
  readonly value: Expression | undefined;
}

export type Statement = Declare | Assign | If | For | Jump | Return;

/** A function of values. One that a kernel declares may read the kernel's inputs, constants and position too. */
export interface KernelFunction extends Node {
  readonly name: string;
  readonly parameters: readonly Variable[];
  readonly result: Type;
  readonly body: readonly Statement[];
}

/** What a kernel reads: elements of 1 to 4 scalars, read as its access declares. */
export interface KernelInput {
  readonly scalar: "f32" | "f64" | "i32" | "u32";
  readonly components?: 1 | Extent;
  readonly access: Access;
}

/** What a kernel writes at its own place: elements of 1 to 4 scalars. They begin as zeros. */
export interface KernelOutput {
  readonly scalar: "f32" | "f64" | "i32" | "u32";
  readonly components?: 1 | Extent;
}

/** A kernel: at each element of a space it reads inputs and constants, and sets its outputs. */
export interface KernelProgram {
  readonly name: string;
  readonly inputs: Readonly<Record<string, KernelInput>>;
  readonly outputs: Readonly<Record<string, KernelOutput>>;
  readonly constants: Readonly<Record<string, Type>>;
  readonly structs: readonly StructType[];
  /** Callees before their callers. They may read the kernel's inputs and constants. */
  readonly functions: readonly KernelFunction[];
  /** Names of functions that code around the body calls, too. */
  readonly entries?: readonly string[];
  readonly body: readonly Statement[];
}
