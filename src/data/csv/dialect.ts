import { isNaNText, parseNumber } from "../text/numbers.ts";

/** How a table's lines are split. A space stands for any run of spaces and tabs. */
export interface Dialect {
  readonly separator: "\t" | ";" | "," | " ";
  /** Whether the comma is the decimal sign: 1,5 is one and a half. */
  readonly decimalComma: boolean;
}

const separators: readonly Dialect["separator"][] = ["\t", ";", ",", " "];

/** The separator that splits most of the lines into the same number of fields, at least two. */
export function detectDialect(lines: readonly string[]): Dialect | undefined {
  let best: Dialect["separator"] | undefined;
  let bestLines = 0;
  for (const separator of separators) {
    const counts = new Map<number, number>();
    for (const line of lines) {
      const fields = splitLine(line, separator).length;
      if (fields > 1) counts.set(fields, (counts.get(fields) ?? 0) + 1);
    }
    const agreeing = Math.max(0, ...counts.values());
    if (agreeing > bestLines) {
      best = separator;
      bestLines = agreeing;
    }
  }
  if (best === undefined) return undefined;
  const separator = best;
  const fields = separator === "," ? [] : lines.flatMap((line) => splitLine(line, separator));
  const decimalComma =
    fields.some((field) => /^[+-]?\d*,\d+(e[+-]?\d+)?$/i.test(field)) &&
    !fields.some((field) => /^[+-]?\d*\.\d+/.test(field));
  return { separator, decimalComma };
}

/** A line's fields without surrounding white space and quotes. */
export function splitLine(line: string, separator: Dialect["separator"]): string[] {
  const fields: string[] = [];
  const isBetween = (character: string) =>
    separator === " " ? character === " " || character === "\t" : character === separator;
  let at = 0;
  for (;;) {
    while (line[at] === " " || (line[at] === "\t" && separator !== "\t")) at++;
    if (separator === " " && at >= line.length && fields.length > 0) return fields;
    let field = "";
    if (line[at] === '"') {
      at++;
      while (at < line.length) {
        if (line[at] !== '"') field += line[at++];
        else if (line[at + 1] === '"') {
          field += '"';
          at += 2;
        } else {
          at++;
          break;
        }
      }
    }
    const from = at;
    while (at < line.length && !isBetween(line[at])) at++;
    fields.push((field + line.slice(from, at)).trim());
    if (at >= line.length) return fields;
    at++;
  }
}

const encoder = new TextEncoder();

/** A field as a number: NaN if its value is missing, undefined if it is anything else. */
export function numberOfField(field: string, { decimalComma }: Dialect): number | undefined {
  if (isMissing(field)) return Number.NaN;
  const bytes = encoder.encode(decimalComma ? field.replace(",", ".") : field);
  const value = parseNumber(bytes, 0, bytes.length);
  return Number.isNaN(value) ? undefined : value;
}

/** Whether a field denotes a missing value. */
export function isMissing(field: string): boolean {
  return field === "" || isNaNText(field) || /^(na|n\/a|#n\/a|null|none|-|\?)$/i.test(field);
}
