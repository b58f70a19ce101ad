import type { DerivedSummary, FieldSummary } from "../../engine/api.ts";
import type { AppState } from "./state.ts";

/** Stored fields, then derived ones; a derived field hides a stored one of its name. */
export function allFields({ data: { dataSet, derived } }: AppState): readonly FieldSummary[] {
  const names = new Set(derived.map(({ name }) => name));
  return [...(dataSet?.fields ?? []).filter(({ name }) => !names.has(name)), ...derived];
}

/** Puts new results at the end; a name that was computed again is replaced. */
export function mergeDerived(
  former: readonly DerivedSummary[],
  latest: readonly DerivedSummary[],
): DerivedSummary[] {
  const names = new Set(latest.map(({ name }) => name));
  return [...former.filter(({ name }) => !names.has(name)), ...latest];
}
