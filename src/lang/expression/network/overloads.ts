import type { CrinkleError, Span } from "../../../core/errors.ts";
import type { Filter, Signature } from "../filters/filter.ts";
import { located } from "../syntax/located.ts";
import { describeType, type ValueType } from "../types.ts";

/**
 * The overload for inputs of these types: an exact one, else one that they fit after conversion between scalar and
 * boolean. Throws TypeError with the types given and the ones due.
 */
export function chooseOverload<O extends Signature>(
  filter: Filter & { readonly overloads: readonly O[] },
  types: readonly ValueType[],
  span?: Span,
): O {
  const ofArity = filter.overloads.filter((overload) => overload.inputs.length === types.length);
  const chosen =
    ofArity.find((overload) => overload.inputs.every((due, k) => due === types[k])) ??
    ofArity.find((overload) => overload.inputs.every((due, k) => converts(types[k], due)));
  if (chosen) return chosen;
  throw ofArity.length > 0
    ? wrongTypes(filter, types, ofArity, span)
    : wrongArity(filter, types.length, span);
}

function converts(given: ValueType, due: ValueType): boolean {
  if (given === due) return true;
  return (given === "bool" && due === "scalar") || (given === "scalar" && due === "bool");
}

function wrongTypes(
  { doc }: Filter,
  types: readonly ValueType[],
  overloads: readonly Signature[],
  span?: Span,
): CrinkleError {
  const due =
    types.length === 1
      ? [...new Set(overloads.map(({ inputs: [type] }) => withArticle(type)))]
      : [...new Set(overloads.map(({ inputs }) => enumerate(inputs.map(withArticle), "and")))];
  return located(
    "TypeError",
    span,
    `“${doc.signature}” was given ${enumerate(types.map(withArticle), "and")}`,
    `It takes ${types.length === 1 ? enumerate(due, "or") : due.join("; or ")}.`,
  );
}

function wrongArity(
  { doc, ...filter }: Filter & { overloads: readonly Signature[] },
  given: number,
  span?: Span,
) {
  const arities = [...new Set(filter.overloads.map(({ inputs }) => inputs.length))].sort((a, b) => a - b);
  const due = `${enumerate(arities.map(String), "or")} argument${arities.at(-1) === 1 ? "" : "s"}`;
  return located(
    "TypeError",
    span,
    `“${doc.signature}” takes ${due}, but was given ${given}`,
    `For example: ${doc.example}.`,
  );
}

function withArticle(type: ValueType): string {
  return `a ${describeType(type)}`;
}

/** “a”, “a and b”, “a, b and c”. */
function enumerate(items: readonly string[], conjunction: "and" | "or"): string {
  if (items.length < 2) return items[0] ?? "nothing";
  return `${items.slice(0, -1).join(", ")} ${conjunction} ${items[items.length - 1]}`;
}
