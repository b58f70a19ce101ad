import type { Statistics } from "../../core/statistics.ts";
import type { FieldSummary } from "../../engine/api.ts";

/** Something with one value per point that a surface can follow or be coloured by. */
export interface FieldChoice {
  /** As the engine takes it, and as people read it: `magnitude(velocity)`. */
  readonly expression: string;
  /** The stored or derived field it comes from. */
  readonly source: string;
  /** Where it is known without asking the engine. */
  readonly statistics: Statistics | undefined;
}

const identifier = /^[\p{L}_][\p{L}\p{N}_]*$/u;
const keywords = new Set(["if", "then", "else", "and", "or", "not"]);

/** A field's name as expressions spell it: in double quotes where it is no identifier. */
export function spellName(name: string): string {
  if (identifier.test(name) && !keywords.has(name)) return name;
  return `"${name.replaceAll("\\", "\\\\").replaceAll('"', '\\"')}"`;
}

/** The one expression that stands for a whole field: its value, or its magnitude. */
export function wholeField({ name, components }: FieldSummary): string {
  return components === 1 ? spellName(name) : `magnitude(${spellName(name)})`;
}

/** A scalar field itself; a vector's magnitude and components; a tensor's magnitude and entries. */
export function choicesOf(field: FieldSummary): FieldChoice[] {
  const { name, components, statistics } = field;
  const spelled = spellName(name);
  const whole = { expression: wholeField(field), source: name, statistics };
  if (components === 1) return [whole];
  const parts: string[] = [];
  if (components === 9) {
    for (let row = 0; row < 3; row++) {
      for (let column = 0; column < 3; column++) parts.push(`${spelled}[${row}][${column}]`);
    }
  } else for (let i = 0; i < components; i++) parts.push(`${spelled}[${i}]`);
  return [whole, ...parts.map((expression) => ({ expression, source: name, statistics: undefined }))];
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
