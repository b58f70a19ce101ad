import type { TypedArray } from "../../core/dtype.ts";
import type { Centering } from "../../core/grid.ts";
import type { ByteCursor } from "../bytes/cursor.ts";
import { type DeferredArray, isDeferred } from "../bytes/deferred.ts";
import { badFile, printable } from "../failure.ts";
import { parseCount, readLine, readToken, readWords } from "../text/lines.ts";
import { skipStrings } from "./strings.ts";
import { type LegacyType, legacyType, openLegacyValues } from "./types.ts";

/** Components of the attributes whose header line is only `KEYWORD name type`. */
const fixedComponents: Record<string, number> = {
  VECTORS: 3,
  NORMALS: 3,
  TENSORS: 9,
  TENSORS6: 6,
  GLOBAL_IDS: 1,
  PEDIGREE_IDS: 1,
  EDGE_FLAGS: 1,
};

/** Receives the arrays of a file. */
export interface ArrayTarget {
  /** Number of tuples that an array must have. */
  count(centering: Centering): number;
  /** A clause with this number, for messages. */
  describe(centering: Centering): string;
  add(
    name: string,
    centering: Centering,
    components: number,
    data: TypedArray | DeferredArray,
  ): void | Promise<void>;
  note(sentence: string): void;
}

/** Reads the attribute sections of a legacy file, and passes on their arrays, binary ones unread. */
export class LegacyAttributes {
  readonly #cursor: ByteCursor;
  readonly #ascii: boolean;

  constructor(cursor: ByteCursor, ascii: boolean) {
    this.#cursor = cursor;
    this.#ascii = ascii;
  }

  /** Reads the number after POINT_DATA or CELL_DATA, which must match the grid. */
  async expectCount(keyword: string, centering: Centering, target: ArrayTarget): Promise<void> {
    const place = this.#cursor.place();
    const text = await readToken(this.#cursor);
    if (parseCount(text) !== target.count(centering)) {
      const found = printable(text ?? "nothing");
      throw this.#bad(place, `${keyword} declares ${found} values, but ${target.describe(centering)}.`);
    }
  }

  /** Reads the attribute that `keyword` starts; false if it starts none. */
  async accept(keyword: string, centering: Centering, target: ArrayTarget): Promise<boolean> {
    if (keyword === "FIELD") {
      await this.readFieldArrays(centering, target);
      return true;
    }
    if (keyword === "LOOKUP_TABLE") {
      await this.#skipLookupTable();
      return true;
    }
    const place = this.#cursor.place();
    const known = keyword in fixedComponents || /^(SCALARS|COLOR_SCALARS|TEXTURE_COORDINATES)$/.test(keyword);
    if (!known) return false;
    const words = await this.#readHeader(keyword);
    const name = words[0];
    let components: number | undefined = fixedComponents[keyword];
    let type: LegacyType | undefined;
    if (keyword === "COLOR_SCALARS") {
      components = parseCount(words[1]);
      type = this.#ascii ? "f32" : "u8";
    } else if (keyword === "TEXTURE_COORDINATES") {
      components = parseCount(words[1]);
      type = legacyType(words[2]);
    } else {
      type = legacyType(words[1]);
      if (keyword === "SCALARS") {
        components = words.length > 2 ? parseCount(words[2]) : 1;
        await this.#passTableName();
      }
    }
    if (!name || !components || type === undefined || type === "string") {
      throw this.#bad(
        place,
        `“${keyword} ${printable(words.join(" "))}” does not name an array, its type and its components.`,
      );
    }
    const data = await this.#openArray(name, type, components, centering, target);
    const areLevels = keyword === "COLOR_SCALARS" && !isDeferred(data);
    await target.add(decodeName(name), centering, components, areLevels ? colorLevels(data) : data);
    return true;
  }

  /** Reads `FIELD name count` and its arrays; those that belong to neither points nor cells are skipped. */
  async readFieldArrays(centering: Centering | undefined, target: ArrayTarget | undefined): Promise<void> {
    const cursor = this.#cursor;
    await readToken(cursor);
    const text = await readToken(cursor);
    const count = parseCount(text);
    if (count === undefined)
      throw this.#bad(cursor.place(), `FIELD declares “${printable(text ?? "")}” arrays.`);
    for (let i = 0; i < count; i++) {
      let name = await readToken(cursor);
      while (name === "METADATA") {
        await skipMetadata(cursor);
        name = await readToken(cursor);
      }
      if (name === undefined)
        throw this.#bad(cursor.place(), `the file ends after ${i} of the ${count} arrays of a FIELD.`);
      if (name === "NULL_ARRAY") continue;
      const place = cursor.place();
      const words = await readWords(cursor, 3, this.#ascii);
      const components = parseCount(words[0]);
      const tuples = parseCount(words[1]);
      const type = legacyType(words[2]);
      if (components === undefined || tuples === undefined || type === undefined) {
        throw this.#bad(
          place,
          `“${printable([name, ...words].join(" "))}” is not the header of a FIELD array.`,
        );
      }
      if (type === "string") {
        if (this.#ascii) await readLine(cursor);
        await skipStrings(cursor, components * tuples, this.#ascii);
        target?.note(`The text array “${decodeName(name)}” was left out.`);
      } else if (centering && target && components > 0 && tuples === target.count(centering)) {
        const data = await this.#openArray(name, type, components, centering, target);
        await target.add(decodeName(name), centering, components, data);
      } else {
        await openLegacyValues(
          cursor,
          type,
          components * tuples,
          this.#ascii,
          `the array “${decodeName(name)}”`,
        );
        if (centering)
          target?.note(
            `The array “${decodeName(name)}” has ${tuples} tuples, which match neither the points nor the cells; it was left out.`,
          );
      }
    }
  }

  /** What follows the keyword of an attribute. The components of SCALARS may be missing, so that its line ends it. */
  async #readHeader(keyword: string): Promise<string[]> {
    if (keyword === "SCALARS") return ((await readLine(this.#cursor)) ?? "").trim().split(/\s+/);
    return readWords(this.#cursor, keyword === "TEXTURE_COORDINATES" ? 3 : 2, this.#ascii);
  }

  #openArray(
    name: string,
    type: Exclude<LegacyType, "string">,
    components: number,
    centering: Centering,
    target: ArrayTarget,
  ): Promise<TypedArray | DeferredArray> {
    const count = target.count(centering) * components;
    return openLegacyValues(this.#cursor, type, count, this.#ascii, `the field “${decodeName(name)}”`);
  }

  /** `LOOKUP_TABLE name` follows the head of SCALARS; some writers leave it out. */
  async #passTableName(): Promise<void> {
    const cursor = this.#cursor;
    const { position, line } = cursor;
    if (this.#ascii) {
      if ((await readToken(cursor))?.toUpperCase() === "LOOKUP_TABLE") {
        await readToken(cursor);
        return;
      }
    } else if ((await readLine(cursor))?.trim().toUpperCase().startsWith("LOOKUP_TABLE")) return;
    cursor.seek(position);
    cursor.line = line;
  }

  /** `LOOKUP_TABLE name size`: RGBA colours, which Crinkle does not use. */
  async #skipLookupTable(): Promise<void> {
    const place = this.#cursor.place();
    const words = await readWords(this.#cursor, 2, this.#ascii);
    const size = parseCount(words[1]);
    if (size === undefined)
      throw this.#bad(place, `LOOKUP_TABLE has no size: “${printable(words.join(" "))}”.`);
    await openLegacyValues(this.#cursor, this.#ascii ? "f32" : "u8", 4 * size, this.#ascii, "a lookup table");
  }

  #bad(place: string, what: string): Error {
    return badFile(this.#cursor.source.name, place, what);
  }
}

export function unknownKeyword(cursor: ByteCursor, token: string): Error {
  return badFile(
    cursor.source.name,
    cursor.place(),
    `“${printable(token.slice(0, 40))}” stands where a keyword of a legacy VTK file is expected.`,
    "The file is damaged, or an earlier array does not have the dimensions that its header states.",
  );
}

/** ASCII colours are fractions of 1; binary ones, and fields of VTK, are bytes. */
function colorLevels(fractions: TypedArray): Uint8Array {
  return Uint8Array.from(fractions as Float32Array, (x) => Math.round(255 * Math.min(Math.max(x, 0), 1)));
}

/** METADATA describes the array before it, and ends with an empty line. */
export async function skipMetadata(cursor: ByteCursor): Promise<void> {
  await readLine(cursor);
  for (let line = await readLine(cursor); line?.trim(); line = await readLine(cursor));
}

/** Undoes the %XX escapes with which VTK writes spaces and the like in names. */
function decodeName(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
