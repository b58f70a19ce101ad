/** Parses a number as people type it, a typographic minus included; undefined if it is not a finite number. */
export function parseNumber(text: string): number | undefined {
  const trimmed = text.trim().replace("−", "-");
  const value = trimmed === "" ? Number.NaN : Number(trimmed);
  return Number.isFinite(value) ? value : undefined;
}

/** Formats a number with at most `digits` significant digits, as `parseNumber` reads them. */
export function writeNumber(value: number, digits = 7): string {
  return Number.isFinite(value) ? String(Number(value.toPrecision(digits))) : "";
}
