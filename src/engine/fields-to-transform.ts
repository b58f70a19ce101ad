import type { Field } from "../core/field.ts";
import { badArgument } from "../core/primitives/checks.ts";

type Described = Pick<Field, "name" | "centering">;

/**
 * The fields to transform: the one that is named, or all, which then lie on the grid alike. `holdsOne` says that the result's file holds
 * one array. Throws BadArgument.
 */
export function fieldsToTransform<F extends Described>(
  fields: readonly F[],
  wanted: string | null,
  holdsOne: boolean,
): readonly F[] {
  const names = fields.map(({ name }) => name).join(", ");
  if (wanted !== null) {
    const field = fields.find(({ name }) => name === wanted);
    if (field) return [field];
    throw badArgument(`There is no field “${wanted}”.`, `There are ${names || "none"}.`);
  }
  if (fields.length === 0) throw badArgument("The file has no fields.", "Give one that has values.");
  const isAlike = fields.every(({ centering }) => centering === fields[0].centering);
  if (fields.length === 1 || (isAlike && !holdsOne)) return fields;
  throw badArgument(
    holdsOne
      ? `A .npy file holds one array, and there are ${names}.`
      : "Some fields lie on nodes, and some on cells.",
    `Choose one by --field: ${names}.`,
  );
}
