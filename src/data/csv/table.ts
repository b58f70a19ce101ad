import type { CrinkleError } from "../../core/errors.ts";
import { badFile, unsupported } from "../failure.ts";
import { decodeText } from "../text/lines.ts";
import { type CoordinateColumns, findCoordinates } from "./coordinates.ts";
import { type Dialect, detectDialect, isMissing, numberOfField, splitLine } from "./dialect.ts";

/** What the first lines of a table reveal. */
export interface Table {
  readonly dialect: Dialect;
  readonly names: readonly string[];
  readonly coordinates: CoordinateColumns;
  /** Columns of numbers other than the coordinates. */
  readonly others: readonly number[];
  /** Offset of the first row, and its 1-based line number. */
  readonly from: number;
  readonly line: number;
  readonly notes: readonly string[];
}

interface Line {
  readonly text: string;
  readonly from: number;
  readonly number: number;
}

const maxLines = 500;
const maxColumns = 4096;
const quote = 0x22;
const newline = 0x0a;
const isBetween = /[\t ,;"]/;

/**
 * Finds the format of a table from its first bytes; `isWhole` says that there are no more. The first line holds names
 * if a column of numbers has something else there. Throws UnsupportedFormat or BadFile.
 */
export function describeTable(name: string, head: Uint8Array, isWhole: boolean): Table {
  const lines = linesOf(head, isWhole).filter(({ text }) => text.trim() !== "");
  if (/^sep=.$/i.test(lines[0]?.text ?? "")) lines.shift();
  const rows = lines.filter(({ text }) => !text.startsWith("#"));
  const dialect = detectDialect(rows.map(({ text }) => text));
  if (!dialect) throw tooFew(name, rows.length > 0 ? 1 : 0);
  const fields = rows.map(({ text }) => splitLine(text, dialect.separator));
  const last = fields[fields.length - 1];
  const [first, ...data] = fields;
  const inData = numericColumns(data, last.length, dialect);
  const hasHeader =
    first.every((field) => isText(field, dialect)) ||
    inData.some((column) => isText(first[column] ?? "", dialect));
  if (hasHeader && data.length === 0)
    throw badFile(name, `line ${rows[0].number}`, "there are no rows below the names.");
  const start = rows[hasHeader ? 1 : 0];
  const width = hasHeader ? first.length : mostFrequentWidth(fields);
  if (width > maxColumns)
    throw badFile(
      name,
      `line ${rows[0].number}`,
      `it has ${width} columns; Crinkle reads up to ${maxColumns}.`,
    );
  const names = hasHeader ? first : (commentedNames(lines, start, dialect, width) ?? numberedNames(width));
  const values = hasHeader ? data : fields;
  const numeric = numericColumns(values, width, dialect);
  const coordinates = findCoordinates(names, numeric);
  if (!coordinates) throw tooFew(name, numeric.length);
  const { x, y, z } = coordinates;
  return {
    dialect,
    names,
    coordinates,
    others: numeric.filter((column) => column !== x && column !== y && column !== z),
    from: start.from,
    line: start.number,
    notes: notesOf(names, coordinates, numeric, values),
  };
}

function tooFew(name: string, columns: number): CrinkleError {
  return unsupported(
    `“${name}” has ${columns === 1 ? "one column" : "no columns"} of numbers, but points need two or three.`,
    "Columns are separated by commas, semicolons, tabs or spaces.",
  );
}

/** The first lines, without the last if the head may have cut it. Quoted fields may contain line ends. */
function linesOf(head: Uint8Array, isWhole: boolean): Line[] {
  const lines: Line[] = [];
  const mark = head[0] === 0xef && head[1] === 0xbb && head[2] === 0xbf ? 3 : 0;
  let from = mark;
  let number = 1;
  let passed = 0;
  let quoted = false;
  const add = (to: number) => {
    lines.push({ text: decodeText(head.subarray(from, to)).replace(/\r$/, ""), from, number });
  };
  for (let at = mark; at < head.length && lines.length < maxLines; at++) {
    // A quote inside an unquoted field is an ordinary character.
    if (head[at] === quote && (quoted || at === from || isBetween.test(String.fromCharCode(head[at - 1]))))
      quoted = !quoted;
    if (head[at] !== newline) continue;
    passed++;
    if (quoted) continue;
    add(at);
    from = at + 1;
    number = passed + 1;
  }
  if (isWhole && from < head.length && lines.length < maxLines) add(head.length);
  return lines;
}

function isText(field: string, dialect: Dialect): boolean {
  return numberOfField(field, dialect) === undefined;
}

/** Columns in which numbers outnumber other texts. */
function numericColumns(rows: readonly string[][], width: number, dialect: Dialect): number[] {
  const found: number[] = [];
  for (let column = 0; column < width; column++) {
    let numbers = 0;
    for (const row of rows) {
      const value = numberOfField(row[column] ?? "", dialect);
      if (value === undefined) numbers--;
      else if (!Number.isNaN(value)) numbers++;
    }
    if (numbers > 0) found.push(column);
  }
  return found;
}

function mostFrequentWidth(rows: readonly string[][]): number {
  const counts = new Map<number, number>();
  for (const { length } of rows) counts.set(length, (counts.get(length) ?? 0) + 1);
  return [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best))[0];
}

/** Names after “#” in the last line above the rows. */
function commentedNames(
  lines: readonly Line[],
  start: Line,
  dialect: Dialect,
  width: number,
): string[] | undefined {
  const above = lines[lines.indexOf(start) - 1];
  if (!above) return undefined;
  const names = splitLine(above.text.replace(/^#+\s*/, ""), dialect.separator);
  return names.length === width && names.every((field) => isText(field, dialect)) ? names : undefined;
}

function numberedNames(width: number): string[] {
  return Array.from({ length: width }, (_, i) => `column ${i + 1}`);
}

function notesOf(
  names: readonly string[],
  { x, y, z, isNamed }: CoordinateColumns,
  numeric: readonly number[],
  rows: readonly string[][],
): string[] {
  const used = (z === undefined ? [x, y] : [x, y, z]).map((column) => `“${names[column]}”`);
  const notes = isNamed ? [] : [`No column is called x; the coordinates are ${used.join(", ")}.`];
  const left = [...names.keys()].filter((column) => !numeric.includes(column));
  const isEmpty = (column: number) => rows.every((row) => isMissing(row[column] ?? ""));
  const note = (columns: readonly number[], one: string, many: string) => {
    const quoted = columns.map((column) => `“${names[column]}”`);
    if (quoted.length === 1) notes.push(`The column ${quoted[0]} ${one}; it was left out.`);
    else if (quoted.length > 1)
      notes.push(`${quoted.length} columns ${many} and were left out: ${quoted.join(", ")}.`);
  };
  note(
    left.filter((column) => !isEmpty(column)),
    "is text",
    "are text",
  );
  note(left.filter(isEmpty), "has no values in the first rows", "have no values in the first rows");
  return notes;
}
