import type { Statistics } from "../../core/statistics.ts";
import type { FieldSummary } from "../../engine/api.ts";
import { quoteName, withoutQuotes } from "../../lang/expression/syntax/quoting.ts";

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

/**
 * The scalar that stands for a whole field: its value, its magnitude, or the first component if it is neither a vector
 * nor a tensor.
 */
export function wholeField({ name, components }: FieldSummary): string {
  const spelled = quoteName(name);
  if (components === 1) return spelled;
  return hasMagnitude(components) ? `magnitude(${spelled})` : `${spelled}[0]`;
}

function hasMagnitude(components: number): boolean {
  return components === 2 || components === 3 || components === 9;
}

/** The choices of a field: a scalar itself; a vector's magnitude and components; a tensor's magnitude and entries. */
export function choicesOf(field: FieldSummary): FieldChoice[] {
  const { name, components, statistics } = field;
  const whole = { expression: wholeField(field), label: wholeLabel(field), source: name, statistics };
  if (components === 1) return [whole];
  const parts = componentsOf(quoteName(name), components).map((expression) => ({
    expression,
    label: withoutQuotes(expression),
    source: name,
    statistics: undefined,
  }));
  return hasMagnitude(components) ? [whole, ...parts] : parts;
}

/** "v[0]", "v[1]" …; a tensor's entries by row and column. */
function componentsOf(spelled: string, components: number): string[] {
  return Array.from({ length: components }, (_, i) => `${spelled}${componentIndex(i, components)}`);
}

/** "[0]", "[1]" …; of a tensor's entries "[0][0]" … by row and column. */
export function componentIndex(component: number, components: number): string {
  return components === 9 ? `[${Math.floor(component / 3)}][${component % 3}]` : `[${component}]`;
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
