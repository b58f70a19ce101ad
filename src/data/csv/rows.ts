import type { CrinkleError } from "../../core/errors.ts";
import type { ByteCursor } from "../bytes/cursor.ts";
import { badFile, printable } from "../failure.ts";
import { decodeText } from "../text/lines.ts";
import { parseNumber } from "../text/numbers.ts";
import { isMissing } from "./dialect.ts";
import type { Table } from "./table.ts";

const newline = 0x0a;
const tab = 0x09;
const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const hash = 0x23;

/** Parses rows from the window of a cursor. */
export class RowParser {
  readonly #cursor: ByteCursor;
  readonly #table: Table;
  /** The index in `values` of each column, −1 for those that are not read. */
  readonly #places: Int32Array;
  readonly #values: Float64Array;
  readonly #separator: number;
  /** A second separator; equal to the first if there is none. */
  readonly #alternative: number;

  /** Reads x, y, z and the other columns into `values`; if the table has no z, its value is left unchanged. */
  constructor(cursor: ByteCursor, table: Table, values: Float64Array) {
    this.#cursor = cursor;
    this.#table = table;
    this.#places = new Int32Array(table.names.length).fill(-1);
    const { x, y, z } = table.coordinates;
    [x, y, z, ...table.others].forEach((column, place) => {
      if (column !== undefined) this.#places[column] = place;
    });
    this.#values = values;
    this.#separator = table.dialect.separator.charCodeAt(0);
    this.#alternative = this.#separator === space ? tab : this.#separator;
  }

  /**
   * Reads the next row into the values; returns false if the window holds no complete row. Empty lines and lines that
   * start with “#” are skipped. Throws BadFile with line and column.
   */
  next(): boolean {
    const cursor = this.#cursor;
    const { window, windowIsLast } = cursor;
    const end = window.length;
    const separator = this.#separator;
    const alternative = this.#alternative;
    while (cursor.at < end) {
      let at = cursor.at;
      let column = 0;
      let lines = 1;
      let from = at;
      let to = at;
      if (window[at] === hash) {
        at = window.indexOf(newline, at);
        if (at < 0) {
          if (!windowIsLast) return false;
          at = end;
        }
        cursor.at = at + 1;
        cursor.line++;
        continue;
      }
      for (;;) {
        while (at < end && (window[at] === space || (window[at] === tab && separator !== tab))) at++;
        if (window[at] === quote && at < end) {
          from = ++at;
          for (; at < end; at++) {
            if (window[at] === newline) lines++;
            else if (window[at] === quote) {
              if (window[at + 1] !== quote) break;
              at++;
            }
          }
          to = at;
          while (at < end && window[at] !== separator && window[at] !== newline && window[at] !== alternative)
            at++;
        } else {
          from = at;
          while (at < end && window[at] !== separator && window[at] !== newline && window[at] !== alternative)
            at++;
          to = at;
          while (to > from && window[to - 1] <= space) to--;
        }
        if (at >= end && !windowIsLast) return false;
        if (from < to || separator !== space) this.#read(column++, from, to);
        if (at >= end || window[at] === newline) break;
        at++;
      }
      cursor.at = at + 1;
      const expected = this.#places.length;
      const isBlank = from === to && column < 2;
      if (column !== expected && !isBlank && !(column === expected + 1 && from === to))
        throw this.#ragged(column);
      cursor.line += lines;
      if (!isBlank) return true;
    }
    return false;
  }

  #read(column: number, from: number, to: number): void {
    const place = this.#places[column];
    if (!(place >= 0)) return;
    const { window } = this.#cursor;
    if (this.#table.dialect.decimalComma) {
      for (let i = from; i < to; i++) if (window[i] === comma) window[i] = 0x2e;
    }
    const value = from < to ? parseNumber(window, from, to) : Number.NaN;
    if (Number.isNaN(value) && from < to) this.#expectMissing(column, from, to);
    this.#values[place] = value;
  }

  #expectMissing(column: number, from: number, to: number): void {
    const { window, source, line } = this.#cursor;
    const text = decodeText(window.subarray(from, Math.min(to, from + 80))).trim();
    if (isMissing(text)) return;
    throw badFile(
      source.name,
      `line ${line}, column ${column + 1} (“${this.#table.names[column]}”)`,
      `“${printable(text.slice(0, 40))}” is not a number.`,
      "A missing value is an empty field, NaN or NA.",
    );
  }

  #ragged(fields: number): CrinkleError {
    return badFile(
      this.#cursor.source.name,
      `line ${this.#cursor.line}`,
      `there are ${fields} fields where ${this.#places.length} are expected.`,
      "The file may be truncated, or a text that contains a separator lacks its quotes.",
    );
  }
}
