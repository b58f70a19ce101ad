import type { Grid, Triple } from "../../core/grid.ts";
import type { ByteCursor } from "../bytes/cursor.ts";
import { badFile } from "../failure.ts";
import { parseCount, parseFinite, readToken, readWords } from "../text/lines.ts";
import { legacyType, readLegacyValues } from "./types.ts";

export type LegacyDataSetKind = "STRUCTURED_POINTS" | "RECTILINEAR_GRID";

/** Gathers the keywords that describe a legacy file's grid. */
export class LegacyGeometry {
  readonly #kind: LegacyDataSetKind;
  readonly #ascii: boolean;
  #dims: Triple | undefined;
  #first: Triple = [0, 0, 0];
  #origin: Triple = [0, 0, 0];
  #spacing: Triple = [1, 1, 1];
  readonly #axes: (Float64Array | undefined)[] = [undefined, undefined, undefined];

  constructor(kind: LegacyDataSetKind, ascii: boolean) {
    this.#kind = kind;
    this.#ascii = ascii;
  }

  /** Reads the values of `keyword`; false if it does not describe a grid. */
  async accept(keyword: string, cursor: ByteCursor): Promise<boolean> {
    switch (keyword) {
      case "DIMENSIONS":
        this.#dims = await readTriple(cursor, keyword, parseCount, "a number of points");
        return true;
      case "EXTENT":
        await this.#readExtent(cursor);
        return true;
      case "ORIGIN":
        this.#origin = await readTriple(cursor, keyword, parseFinite, "a number");
        return true;
      case "SPACING":
      case "ASPECT_RATIO":
        this.#spacing = await readTriple(cursor, keyword, parseFinite, "a number");
        return true;
      case "X_COORDINATES":
      case "Y_COORDINATES":
      case "Z_COORDINATES":
        this.#axes["XYZ".indexOf(keyword[0])] = await this.#readAxis(cursor, keyword);
        return true;
      default:
        return false;
    }
  }

  /** The grid described so far, or BadFile that names what is missing. */
  grid(cursor: ByteCursor): Grid {
    const missing = (what: string) =>
      badFile(
        cursor.source.name,
        cursor.place(),
        `the grid's ${what} should come before this place, but are missing.`,
      );
    const dims = this.#dims;
    if (!dims) throw missing("DIMENSIONS");
    if (this.#kind === "RECTILINEAR_GRID") {
      const [x, y, z] = this.#axes;
      if (!x || !y || !z) throw missing("X_, Y_ and Z_COORDINATES");
      return { kind: "rectilinear", dims, axes: [x, y, z] };
    }
    const at = (axis: number) => this.#origin[axis] + this.#first[axis] * this.#spacing[axis];
    return { kind: "uniform", dims, origin: [at(0), at(1), at(2)], spacing: this.#spacing };
  }

  async #readExtent(cursor: ByteCursor): Promise<void> {
    const first: number[] = [];
    const dims: number[] = [];
    for (let axis = 0; axis < 3; axis++) {
      const from = await readValue(cursor, "EXTENT", parseFinite, "a number");
      const to = await readValue(cursor, "EXTENT", parseFinite, "a number");
      first.push(from);
      dims.push(to - from + 1);
    }
    this.#first = first as unknown as Triple;
    this.#dims = dims as unknown as Triple;
  }

  async #readAxis(cursor: ByteCursor, keyword: string): Promise<Float64Array> {
    const place = cursor.place();
    const words = await readWords(cursor, 2, this.#ascii);
    const count = parseCount(words[0]);
    const type = legacyType(words[1]);
    if (count === undefined || type === undefined || type === "string") {
      throw badFile(
        cursor.source.name,
        place,
        `${keyword} is followed by “${words.join(" ")}”, where a count and a type are expected.`,
      );
    }
    const values = await readLegacyValues(cursor, type, count, this.#ascii, keyword);
    return values instanceof Float64Array ? values : Float64Array.from(values as ArrayLike<number>, Number);
  }
}

type Parse = (text: string | undefined) => number | undefined;

async function readTriple(
  cursor: ByteCursor,
  keyword: string,
  parse: Parse,
  expected: string,
): Promise<Triple> {
  const x = await readValue(cursor, keyword, parse, expected);
  const y = await readValue(cursor, keyword, parse, expected);
  return [x, y, await readValue(cursor, keyword, parse, expected)];
}

async function readValue(
  cursor: ByteCursor,
  keyword: string,
  parse: Parse,
  expected: string,
): Promise<number> {
  const text = await readToken(cursor);
  const value = parse(text);
  if (value === undefined) {
    const found = text === undefined ? "the file ends" : `“${text.slice(0, 40)}” stands`;
    throw badFile(cursor.source.name, cursor.place(), `${found} where ${keyword} needs ${expected}.`);
  }
  return value;
}
