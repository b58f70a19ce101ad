import type { Span } from "../../../core/errors.ts";
import { specialForms } from "../check/scope.ts";
import type { Filter, FilterDoc } from "../filters/filter.ts";
import { allFilters, findFilter } from "../filters/registry.ts";
import { printExpression, signatureOf } from "../syntax/print.ts";
import type { FunctionDefinition } from "../syntax/tree.ts";

export type { FilterDoc as FunctionDoc } from "../filters/filter.ts";

/** A function as users call it. */
export interface DocumentedFunction {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly doc: FilterDoc;
  /** Names of the arguments of the usual call. */
  readonly parameters: readonly string[];
}

/** All functions that can be called, in the order of the reference. */
export const documentedFunctions: readonly DocumentedFunction[] = [
  ...allFilters
    .filter((filter) => !filter.internal)
    .map((filter) => ({
      name: filter.name,
      aliases: filter.aliases ?? [],
      doc: filter.doc,
      parameters: parametersOf(filter.doc.signature) ?? lettersFor(filter),
    })),
  ...[...specialForms].map(([name, doc]) => ({
    name,
    aliases: [],
    doc,
    parameters: parametersOf(doc.signature) ?? [],
  })),
];

/** The documentation of a function by its name or an alias. */
export function functionDoc(name: string): FilterDoc | undefined {
  const filter = findFilter(name);
  return filter && !filter.internal ? filter.doc : specialForms.get(name);
}

/**
 * The documentation of a function that the text defines: the comment beside it, or those in the lines right above it,
 * say what it is.
 */
export function userFunctionDoc(definition: FunctionDefinition, text: string): FilterDoc {
  const { body, nameSpan, span } = definition;
  const signature = signatureOf(definition);
  return {
    signature,
    summary: commentOf(text, span) ?? `Defined in line ${nameSpan.line}.`,
    formula: body && printExpression(body),
    example: signature,
    group: "This text",
  };
}

function commentOf(text: string, { from, to }: Span): string | undefined {
  const beside = /^[^\S\n]*;?[^\S\n]*#([^\n]*)/.exec(text.slice(to))?.[1].trim();
  if (beside) return beside;
  const above = /(?:^|\n)((?:[^\S\n]*#[^\n]*\n)+)[^\S\n]*$/.exec(text.slice(0, from))?.[1];
  const lines = above?.split("\n").map((line) => line.replace(/^\s*#+/, "").trim());
  return lines?.filter(Boolean).join(" ") || undefined;
}

/** The arguments in "atan2(y, x)"; undefined for "a % b". */
function parametersOf(signature: string): string[] | undefined {
  const list = /^\w+\((.*)\)$/.exec(signature)?.[1];
  return list
    ?.split(",")
    .map((name) => name.trim())
    .filter(Boolean);
}

/** The operators' functions, such as lt(a, b). */
function lettersFor(filter: Filter): string[] {
  return "overloads" in filter ? [..."abc"].slice(0, filter.overloads[0].inputs.length) : [];
}
