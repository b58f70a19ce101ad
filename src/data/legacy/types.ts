import type { DType } from "../../core/dtype.ts";
import { bytesPerElement, type TypedArray } from "../../core/dtype.ts";
import { unpackBits } from "../bytes/bits.ts";
import type { ByteCursor } from "../bytes/cursor.ts";
import { type DeferredArray, deferredArray, isDeferred } from "../bytes/deferred.ts";
import { readAsciiArray } from "../text/ascii-array.ts";

/** How a legacy type is stored: as numbers, as packed bits, as `long` whose width the file does not state, as text. */
export type LegacyType = DType | "bit" | "long" | "unsigned_long" | "string";

const types: Record<string, LegacyType> = {
  bit: "bit",
  char: "i8",
  signed_char: "i8",
  unsigned_char: "u8",
  short: "i16",
  unsigned_short: "u16",
  int: "i32",
  unsigned_int: "u32",
  long: "long",
  unsigned_long: "unsigned_long",
  long_long: "i64",
  unsigned_long_long: "u64",
  vtktypeint64: "i64",
  vtktypeuint64: "u64",
  // VTK's writer stores ids as 32-bit integers, whatever its own width of them is.
  vtkidtype: "i32",
  float: "f32",
  double: "f64",
  string: "string",
  utf8_string: "string",
};

export function legacyType(name: string | undefined): LegacyType | undefined {
  return name === undefined ? undefined : types[name.toLowerCase()];
}

const probeBytes = 16;

/** Reads the next `count` values of the file; `cursor` is right after the header line. */
export async function readLegacyValues(
  cursor: ByteCursor,
  type: Exclude<LegacyType, "string">,
  count: number,
  ascii: boolean,
  what: string,
): Promise<TypedArray> {
  const values = await openLegacyValues(cursor, type, count, ascii, what);
  return isDeferred(values) ? values.read(0, count, cursor.yielder.job) : values;
}

/** The same, but leaves binary values where they are until they are asked for, and moves the cursor behind them. */
export async function openLegacyValues(
  cursor: ByteCursor,
  type: Exclude<LegacyType, "string">,
  count: number,
  ascii: boolean,
  what: string,
): Promise<TypedArray | DeferredArray> {
  if (ascii) return readAsciiArray(cursor, asciiDType(type), count, what);
  if (type === "bit") return readBits(cursor, count, what);
  return deferredArray(cursor, await binaryDType(cursor, type, count), count, "big", what);
}

function asciiDType(type: Exclude<LegacyType, "string">): DType {
  if (type === "bit") return "u8";
  if (type === "long") return "i64";
  return type === "unsigned_long" ? "u64" : type;
}

async function readBits(cursor: ByteCursor, count: number, what: string): Promise<TypedArray> {
  const bytes = Math.ceil(count / 8);
  cursor.requireBytes(bytes, what);
  const bits = new Uint8Array(bytes);
  await cursor.readInto(bits, what);
  return unpackBits(bits, count, what);
}

/**
 * `long` has the width of the machine that wrote the file: 8 bytes on Linux and macOS, 4 on Windows.
 * The width after which a keyword or the end of the file follows is the right one.
 */
async function binaryDType(
  cursor: ByteCursor,
  type: Exclude<LegacyType, "string" | "bit">,
  count: number,
): Promise<DType> {
  if (type !== "long" && type !== "unsigned_long") return type;
  const [wide, narrow]: [DType, DType] = type === "long" ? ["i64", "i32"] : ["u64", "u32"];
  const start = cursor.position;
  const fits = async (dtype: DType) => {
    const bytes = count * bytesPerElement(dtype);
    if (bytes > cursor.atMost) return false;
    cursor.seek(start + bytes);
    await cursor.ensure(probeBytes);
    const next = String.fromCharCode(...cursor.window.subarray(cursor.at, cursor.at + probeBytes));
    cursor.seek(start);
    return /^\s*$|^\r?\n\s*[!-~]{3}/.test(next);
  };
  return (await fits(wide)) || !(await fits(narrow)) ? wide : narrow;
}
