import type { FieldSummary } from "../../engine/api.ts";

/**
 * Notes on fields whose values lose digits on the GPU: the field's own sentence, or one sentence for several fields.
 */
export function precisionNotes(fields: readonly FieldSummary[]): string[] {
  const noted = fields.flatMap((field) =>
    field.precisionNote ? [{ ...field, note: field.precisionNote }] : [],
  );
  if (noted.length < 2) return noted.map(({ note }) => note);
  const dtypes = [...new Set(noted.map(({ dtype }) => dtype))].join(", ");
  return [
    `${noted.length} fields are stored as ${dtypes}; the GPU computes with f32, about 7 significant digits.`,
  ];
}
