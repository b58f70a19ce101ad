/** A number as people type it, a typographic minus included; undefined where it is none or not finite. */
export function parseNumber(text: string): number | undefined {
  const trimmed = text.trim().replace("−", "-");
  const value = trimmed === "" ? Number.NaN : Number(trimmed);
  return Number.isFinite(value) ? value : undefined;
}

/** At most `digits` significant digits, as `parseNumber` reads them. */
export function writeNumber(value: number, digits = 7): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(digits))) : "";
}
