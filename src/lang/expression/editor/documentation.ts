import { specialForms } from "../check/scope.ts";
import type { Filter, FilterDoc } from "../filters/filter.ts";
import { allFilters, findFilter } from "../filters/registry.ts";

/** A function as a person calls it. */
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
