import type { ComputeSummary, FieldSummary } from "../../engine/api.ts";
import type { Scope } from "../../lang/expression/editor/analyze.ts";
import type { AppState, DataState } from "./state.ts";

/** Stored fields, then derived ones; a derived field hides a stored one of its name. */
export function allFields({ data: { dataSet, derived } }: AppState): readonly FieldSummary[] {
  const names = new Set(derived.map(({ name }) => name));
  return [...(dataSet?.fields ?? []).filter(({ name }) => !names.has(name)), ...derived];
}

/** The names that expressions may use: those of fields, and of computed numbers. */
export function knownNames(state: AppState): Scope["fields"] {
  const numbers = state.data.quantities.flatMap(({ name, quantity }) => {
    if (quantity.kind === "histogram") return [];
    const { components: values } = quantity;
    return [{ name, components: values.length, centering: "node" as const, values }];
  });
  const names = new Set(numbers.map(({ name }) => name));
  return [...allFields(state).filter(({ name }) => !names.has(name)), ...numbers];
}

/** Appends new results; one of the same name is replaced. */
export function mergeResults(
  former: Pick<DataState, "derived" | "quantities">,
  latest: Pick<ComputeSummary, "derived" | "quantities">,
): Pick<DataState, "derived" | "quantities"> {
  const names = new Set([...latest.derived, ...latest.quantities].map(({ name }) => name));
  return {
    derived: [...former.derived.filter(({ name }) => !names.has(name)), ...latest.derived],
    quantities: [...former.quantities.filter(({ name }) => !names.has(name)), ...latest.quantities],
  };
}
