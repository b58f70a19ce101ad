import type { FieldSummary } from "../../engine/api.ts";

/** The fields whose names contain every word of `pattern`, ignoring case. */
export function matchingFields(fields: readonly FieldSummary[], pattern: string): readonly FieldSummary[] {
  const words = pattern.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return fields;
  return fields.filter(({ name }) => {
    const folded = name.toLowerCase();
    return words.every((word) => folded.includes(word));
  });
}
