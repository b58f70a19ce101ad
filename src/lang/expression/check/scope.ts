import type { CrinkleError, Span } from "../../../core/errors.ts";
import { nearestName } from "../../../core/names.ts";
import type { FilterDoc } from "../filters/filter.ts";
import { allFilters, findFilter } from "../filters/registry.ts";
import type { FieldSignature } from "../network/network.ts";
import { located } from "../syntax/located.ts";
import { printExpression, signatureOf } from "../syntax/print.ts";
import { quoteName } from "../syntax/quoting.ts";
import type { Call } from "../syntax/tree.ts";
import type { DefinitionsOfText, Frame } from "./frame.ts";
import { moveDocs } from "./moves.ts";

/** Names that have a meaning of their own unless a statement or a field has the name, and their meaning. */
export const builtins: ReadonlyMap<string, string> = new Map([
  ["x", "First coordinate of each value, in the grid's physical units."],
  ["y", "Second coordinate of each value, in the grid's physical units."],
  ["z", "Third coordinate of each value, in the grid's physical units."],
  ["coords", "Position of each value in the grid's physical units: {x, y, z}."],
  ["dims", "The grid's dimensions, for grad3d(f, dims, x, y, z)."],
]);

/** Functions that the checker itself expands to filters; so is `transpose(f, x, y)`, beside the filter of its name. */
export const specialForms: ReadonlyMap<string, FilterDoc> = new Map([
  [
    "grad3d",
    {
      signature: "grad3d(f, dims, x, y, z)",
      summary:
        "gradient(f), with the grid's dimensions and coordinates given by name; they must be the data set's own.",
      example: "du = grad3d(u, dims, x, y, z)",
      group: "Derivatives",
    },
  ],
  ...moveDocs,
]);

/** The names that a text may use. */
export interface Scope {
  readonly fields: readonly FieldSignature[];
}

/** Whether a name means a field, or one of the language's own names. */
export function isOfScope(name: string, { fields }: Scope): boolean {
  return builtins.has(name) || fields.some((field) => field.name === name);
}

/** The names that a text may use at one of its statements. */
export interface KnownNames extends Frame {
  readonly scope: Scope;
  /** All functions of the text, including those defined below. */
  readonly definitions: DefinitionsOfText;
}

const maxListed = 12;

/** `parameters` are those of the function in whose body the name stands. */
export function unknownName(
  name: string,
  span: Span,
  { scope, values, functions }: KnownNames,
  parameters: readonly string[] = [],
): CrinkleError {
  const own = functions.get(name);
  if (own) {
    return located(
      "UnknownName",
      span,
      `“${name}” is a function`,
      `Call it: ${signatureOf(own.definition)}.`,
    );
  }
  const definitions = [...parameters, ...values.keys()];
  const filter = findFilter(name);
  if (filter && !filter.internal) {
    return located("UnknownName", span, `“${name}” is a function`, `Call it: ${filter.doc.signature}.`);
  }
  const fields = scope.fields.map((field) => field.name);
  const known = [...definitions, ...fields];
  const near = nearestName(name, [...known, ...builtins.keys()]);
  const list = listed("The fields are", fields) ?? "The data set has no fields.";
  const defined = listed("Defined so far", definitions);
  return located(
    "UnknownName",
    span,
    `There is no field “${name}”`,
    [near && `Did you mean ${quoteName(near)}?`, list, defined].filter(Boolean).join(" "),
  );
}

export function unknownFunction(
  { callee: name, calleeSpan: span, args }: Call,
  { scope, values, functions: own, definitions }: KnownNames,
): CrinkleError {
  const below = definitions.get(name);
  if (below) {
    return located(
      "UnknownName",
      span,
      `The function “${name}” is only defined below, in line ${below.nameSpan.line}`,
      "Move its definition above this line.",
    );
  }
  if (values.has(name) || scope.fields.some((field) => field.name === name)) {
    const factor = args.length === 1 ? printExpression(args[0]) : "…";
    return located(
      "UnknownName",
      span,
      `“${name}” is a field and no function`,
      `Multiply with *: ${name}*(${factor}).`,
    );
  }
  const functions = [...own.keys(), ...functionNames()];
  const near = nearestName(name, functions);
  return located(
    "UnknownName",
    span,
    `There is no function “${name}”`,
    near ? `Did you mean ${near}?` : listed("Functions are", functions),
  );
}

/** All names that can be called. */
function functionNames(): string[] {
  const names = allFilters
    .filter((filter) => !filter.internal)
    .flatMap((filter) => [filter.name, ...(filter.aliases ?? [])]);
  return [...names, ...specialForms.keys()].sort();
}

function listed(title: string, names: readonly string[]): string | undefined {
  if (names.length === 0) return undefined;
  const shown = names.slice(0, maxListed).map(quoteName).join(", ");
  return names.length > maxListed
    ? `${title}: ${shown} and ${names.length - maxListed} more.`
    : `${title}: ${shown}.`;
}
