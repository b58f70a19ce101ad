import type { Span } from "../../../core/errors.ts";
import { located } from "../syntax/located.ts";
import type { FilterBuilder, FilterDoc, ReductionFilter, StencilFilter, StencilParameter } from "./filter.ts";

/** The number that a parameter is given. Throws TypeError where it varies or is none that the rule allows. */
export function parameterValue<Value>(
  builder: FilterBuilder<Value>,
  { signature, example }: FilterDoc,
  { rule, accepts }: Pick<StencilParameter, "rule" | "accepts">,
  given: Value,
  span?: Span,
): number {
  const values = builder.constantOf(given);
  if (values?.length === 1 && accepts(values[0])) return values[0];
  const found = values?.length === 1 ? `, but was given ${values[0]}` : "";
  throw located("TypeError", span, `“${signature}” ${rule}${found}`, `For example: ${example}.`);
}

/**
 * Throws TypeError where a reduction's parameter varies from place to place, or is a number that it cannot do with. What
 * other reductions give is only known when it runs.
 */
export function checkParameters<Value>(
  builder: FilterBuilder<Value>,
  { doc: { signature, example }, fault }: ReductionFilter,
  parameters: readonly Value[],
  span?: Span,
): void {
  const refusal = (problem: string) =>
    located("TypeError", span, `“${signature}” ${problem}`, `For example: ${example}.`);
  if (parameters.some((value) => builder.typeOf(value).placement !== "constant")) {
    throw refusal("takes one field; what else it is given must be the same everywhere");
  }
  const values = parameters.map((parameter) => builder.constantOf(parameter));
  const known = values.filter((value) => value !== undefined);
  const problem = known.length === values.length ? fault?.(known.flat()) : undefined;
  if (problem) throw refusal(problem);
}

/** The name of the stencil that a parameter chooses. */
export function variantName(name: string, value: number): string {
  return `${name}:${value}`;
}

/** The stencil of such a name, where `find` knows its family. */
export function variantOf(
  name: string,
  find: (family: string) => StencilFilter | undefined,
): StencilFilter | undefined {
  const colon = name.indexOf(":");
  if (colon < 0) return undefined;
  const parameter = find(name.slice(0, colon))?.parameter;
  const value = Number(name.slice(colon + 1));
  return parameter?.accepts(value) ? parameter.make(value) : undefined;
}
