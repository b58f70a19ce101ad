import type { CrinkleError, ErrorTag, Span } from "../../../core/errors.ts";
import { check, type TypedSpan } from "../check/check.ts";
import type { Scope } from "../check/scope.ts";
import { elementLoop } from "../filters/element-loops.ts";
import { parse } from "../syntax/parse.ts";
import type { FunctionDefinition } from "../syntax/tree.ts";
import { describeType, type ExpressionType } from "../types.ts";

export type { Scope } from "../check/scope.ts";

/** Something wrong with a range of the text, ready to be underlined. */
export interface Diagnostic {
  readonly from: number;
  readonly to: number;
  readonly severity: "error";
  readonly tag: ErrorTag;
  readonly message: string;
}

export interface DefinitionInfo {
  readonly name: string;
  readonly nameSpan: Span | undefined;
  /** “vector (3) at the nodes”; undefined if the statement has an error. */
  readonly type: string | undefined;
}

/** Everything that an editor shows about a text, with or without errors. */
export interface Analysis {
  /** In the order of the text; an error that names several positions is listed at each. */
  readonly diagnostics: readonly Diagnostic[];
  readonly definitions: readonly DefinitionInfo[];
  /** The functions that the text defines, in its order. */
  readonly functions: readonly FunctionDefinition[];
  readonly types: readonly TypedSpan[];
  /** Types of names and calls in functions' bodies, one for each kind of call. */
  readonly typesInBodies: readonly TypedSpan[];
  readonly notes: readonly string[];
}

export function analyze(text: string, scope: Scope): Analysis {
  const { program, errors: syntaxErrors } = parse(text);
  const { network, definitions, functions, types, typesInBodies, errors } = check(
    program,
    scope,
    elementLoop,
  );
  // A line with a syntax error gets no further errors.
  const brokenLines = new Set(syntaxErrors.map(({ span }) => span?.line));
  const all = [...syntaxErrors, ...errors.filter(({ span }) => !brokenLines.has(span?.line))];
  return {
    diagnostics: all.flatMap((error) => diagnosticsOf(error, text.length)).sort((a, b) => a.from - b.from),
    definitions: definitions.map(({ name, nameSpan, type }) => ({
      name,
      nameSpan,
      type: type && describeExpressionType(type),
    })),
    functions,
    types,
    typesInBodies,
    notes: network.build().notes,
  };
}

/** The errors of a text, in its order, each with the range to underline. */
export function diagnose(text: string, scope: Scope): readonly Diagnostic[] {
  return analyze(text, scope).diagnostics;
}

/** “vector (3) at the nodes”, “scalar, the same everywhere”, “histogram”. */
export function describeExpressionType({ value, placement }: ExpressionType): string {
  if (value === "histogram") return describeType(value);
  const where = { node: " at the nodes", cell: " in the cells", constant: ", the same everywhere" }[
    placement
  ];
  return `${describeType(value)}${where}`;
}

function diagnosticsOf({ tag, message, span, related }: CrinkleError, length: number): Diagnostic[] {
  const places = [span ?? { from: 0, to: length }, ...related];
  return places.map(({ from, to }) => ({ from, to: Math.max(to, from), severity: "error", tag, message }));
}
