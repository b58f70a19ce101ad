import { quoteName } from "./quoting.ts";

interface NamedField {
  readonly name: string;
  readonly components: number;
}

/**
 * The scalar that stands for a whole field: its value, its magnitude, or the first component if it is neither a vector
 * nor a tensor.
 */
export function wholeField({ name, components }: NamedField): string {
  const spelled = quoteName(name);
  if (components === 1) return spelled;
  return hasMagnitude(components) ? magnitudeOf(spelled) : `${spelled}[0]`;
}

/** The scalars of a field: itself; a vector's magnitude and components; a tensor's magnitude and entries by row and column. */
export function scalarsOf(field: NamedField): readonly string[] {
  const { name, components } = field;
  const spelled = quoteName(name);
  if (components === 1) return [spelled];
  const parts = Array.from({ length: components }, (_, i) => `${spelled}${componentIndex(i, components)}`);
  return hasMagnitude(components) ? [magnitudeOf(spelled), ...parts] : parts;
}

/** "[0]", "[1]" …; of a tensor's entries "[0][0]" … by row and column. */
export const componentIndex = (component: number, components: number): string =>
  components === 9 ? `[${Math.floor(component / 3)}][${component % 3}]` : `[${component}]`;

/** Whether a text is a scalar of a field of this name, whatever its components. */
export function isScalarOf(name: string, text: string): boolean {
  const spelled = quoteName(name);
  if (text === spelled || text === magnitudeOf(spelled)) return true;
  return text.startsWith(spelled) && /^(\[\d+\]){1,2}$/.test(text.slice(spelled.length));
}

const magnitudeOf = (spelled: string): string => `magnitude(${spelled})`;

const hasMagnitude = (components: number): boolean =>
  components === 2 || components === 3 || components === 9;
