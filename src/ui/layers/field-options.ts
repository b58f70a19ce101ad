import type { FieldSummary } from "../../engine/api.ts";
import { withoutQuotes } from "../../lang/expression/syntax/quoting.ts";
import { choicesOf } from "../store/field-choice.ts";

interface Option {
  readonly value: string;
  readonly label: string;
}

interface OptionGroup {
  readonly group: string;
  readonly items: Option[];
}

/** The menu entries of all scalars that fields provide, always including `current`; labels have no quotes. */
export function fieldOptions(
  stored: readonly FieldSummary[],
  derived: readonly FieldSummary[],
  current: string | undefined,
): OptionGroup[] {
  const hidden = new Set(derived.map(({ name }) => name));
  const groups = [
    { group: "Fields", items: itemsOf(stored.filter(({ name }) => !hidden.has(name))) },
    { group: "Derived", items: itemsOf(derived) },
  ];
  if (current && !groups.some(({ items }) => items.some(({ value }) => value === current))) {
    groups.push({ group: "In use", items: [{ value: current, label: withoutQuotes(current) }] });
  }
  return groups.filter(({ items }) => items.length > 0);
}

function itemsOf(fields: readonly FieldSummary[]): Option[] {
  return fields.flatMap(choicesOf).map(({ expression, label }) => ({ value: expression, label }));
}
