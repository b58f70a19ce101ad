import type { DType, TypedArray } from "../../core/dtype.ts";
import type { ByteCursor } from "../bytes/cursor.ts";
import { badFile, printable, tooShort } from "../failure.ts";
import { parseCount, readLine } from "../text/lines.ts";

export interface PlyProperty {
  readonly name: string;
  readonly dtype: DType;
  /** Type of the count before the values of a list; undefined for a single value. */
  readonly count: DType | undefined;
}

export interface PlyElement {
  readonly name: string;
  readonly count: number;
  readonly properties: readonly PlyProperty[];
}

export interface PlyHeader {
  readonly encoding: "ascii" | "little" | "big";
  /** In the order in which they follow the header. */
  readonly elements: readonly PlyElement[];
}

/** A property's name with the values of all of its element's items. */
export interface PropertyValues {
  readonly name: string;
  readonly data: TypedArray;
}

const encodings: Record<string, PlyHeader["encoding"]> = {
  ascii: "ascii",
  binary_little_endian: "little",
  binary_big_endian: "big",
};

const types: Record<string, DType> = {
  char: "i8",
  int8: "i8",
  uchar: "u8",
  uint8: "u8",
  short: "i16",
  int16: "i16",
  ushort: "u16",
  uint16: "u16",
  int: "i32",
  int32: "i32",
  uint: "u32",
  uint32: "u32",
  float: "f32",
  float32: "f32",
  double: "f64",
  float64: "f64",
};

const maxLines = 10_000;

/** Reads up to and including `end_header`; comments are skipped. Throws BadFile. */
export async function readHeader(cursor: ByteCursor): Promise<PlyHeader> {
  await readLine(cursor);
  let encoding: PlyHeader["encoding"] | undefined;
  const elements: { name: string; count: number; properties: PlyProperty[] }[] = [];
  for (;;) {
    const place = cursor.place();
    const line = await readLine(cursor);
    if (line === undefined || cursor.line > maxLines) throw tooShort(cursor, "its header has no end_header");
    const words = line.trim().split(/\s+/);
    const wrong = () =>
      badFile(cursor.source.name, place, `“${printable(line.slice(0, 80))}” is not a line of a PLY header.`);
    switch (words[0]) {
      case "":
      case "comment":
      case "obj_info":
        break;
      case "format":
        encoding = encodings[words[1]];
        if (!encoding) throw wrong();
        break;
      case "element": {
        const count = parseCount(words[2]);
        if (words.length !== 3 || count === undefined) throw wrong();
        elements.push({ name: words[1], count, properties: [] });
        break;
      }
      case "property": {
        const property = propertyOf(words);
        if (!property || elements.length === 0) throw wrong();
        elements[elements.length - 1].properties.push(property);
        break;
      }
      case "end_header":
        if (!encoding) throw badFile(cursor.source.name, place, "the header does not name a format.");
        return { encoding, elements };
      default:
        throw wrong();
    }
  }
}

function propertyOf(words: readonly string[]): PlyProperty | undefined {
  const isList = words[1] === "list";
  const [count, type, name] = isList ? words.slice(2) : [undefined, ...words.slice(1)];
  const dtype = types[type ?? ""];
  const countType = count === undefined ? undefined : types[count];
  if (!dtype || !name || words.length !== (isList ? 5 : 3)) return undefined;
  if (isList && (!countType || countType.startsWith("f"))) return undefined;
  return { name, dtype, count: countType };
}
