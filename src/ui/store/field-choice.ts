import type { Statistics } from "../../core/statistics.ts";
import type { FieldSummary } from "../../engine/api.ts";
import { scalarsOf, wholeField } from "../../lang/expression/syntax/field-scalars.ts";
import { withoutQuotes } from "../../lang/expression/syntax/quoting.ts";

/** A scalar, with one value per point, that a surface can follow or be coloured by. */
export interface FieldChoice {
  /** The expression, as the engine takes it: `magnitude("X Velocity")`. */
  readonly expression: string;
  /** The label, with the plain name: `magnitude(X Velocity)`. */
  readonly label: string;
  /** The stored or derived field from which it comes. */
  readonly source: string;
  /** Statistics, if they are known without asking the engine. */
  readonly statistics: Statistics | undefined;
}

/** The label of the scalar that stands for a whole field. */
export function wholeLabel(field: FieldSummary): string {
  return withoutQuotes(wholeField(field));
}

/** The choices of a field: a scalar itself; a vector's magnitude and components; a tensor's magnitude and entries. */
export function choicesOf(field: FieldSummary): FieldChoice[] {
  const { name, statistics } = field;
  const whole = wholeField(field);
  return scalarsOf(field).map((expression) => ({
    expression,
    label: withoutQuotes(expression),
    source: name,
    statistics: expression === whole && !whole.endsWith("]") ? statistics : undefined,
  }));
}

export function findChoice(fields: readonly FieldSummary[], expression: string): FieldChoice | undefined {
  for (const field of fields) {
    const choice = choicesOf(field).find((choice) => choice.expression === expression);
    if (choice) return choice;
  }
  return undefined;
}

export function isVector(field: FieldSummary): boolean {
  return field.components === 2 || field.components === 3;
}

/** "scalar", "vector (3)", "tensor (3×3)", "7 components". */
export function describeComponents(components: number): string {
  if (components === 1) return "scalar";
  if (components <= 3) return `vector (${components})`;
  return components === 9 ? "tensor (3×3)" : `${components} components`;
}
