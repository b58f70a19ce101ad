import { bytesPerElement, type DType, type TypedArray } from "../../core/dtype.ts";
import { formatCount } from "../../core/format.ts";
import { nodeCount } from "../../core/grid.ts";
import type { JobContext } from "../../core/job.ts";
import { DataSetBuilder } from "../assemble.ts";
import { allocate, bytesOf } from "../bytes/allocate.ts";
import { ByteCursor } from "../bytes/cursor.ts";
import { type DeferredArray, deferredArray } from "../bytes/deferred.ts";
import { canInflateTo, inflateGzip } from "../bytes/inflate.ts";
import { type ByteOrder, toNativeOrder } from "../bytes/order.ts";
import { Yielder } from "../bytes/yielder.ts";
import { companionOf, type FindCompanion } from "../companion.ts";
import { tooShort, unsupported } from "../failure.ts";
import type { Source } from "../source.ts";
import type { StoredData } from "../stored.ts";
import { readAsciiArray } from "../text/ascii-array.ts";
import { readLine } from "../text/lines.ts";
import { nrrdGeometry } from "./geometry.ts";
import { type NrrdHeader, readNrrdHeader } from "./header.ts";

const types: Record<string, DType> = {
  "signed char": "i8",
  int8: "i8",
  int8_t: "i8",
  uchar: "u8",
  "unsigned char": "u8",
  uint8: "u8",
  uint8_t: "u8",
  short: "i16",
  "short int": "i16",
  "signed short": "i16",
  "signed short int": "i16",
  int16: "i16",
  int16_t: "i16",
  ushort: "u16",
  "unsigned short": "u16",
  "unsigned short int": "u16",
  uint16: "u16",
  uint16_t: "u16",
  int: "i32",
  "signed int": "i32",
  int32: "i32",
  int32_t: "i32",
  uint: "u32",
  "unsigned int": "u32",
  uint32: "u32",
  uint32_t: "u32",
  longlong: "i64",
  "long long": "i64",
  "long long int": "i64",
  "signed long long": "i64",
  "signed long long int": "i64",
  int64: "i64",
  int64_t: "i64",
  ulonglong: "u64",
  "unsigned long long": "u64",
  "unsigned long long int": "u64",
  uint64: "u64",
  uint64_t: "u64",
  float: "f32",
  double: "f64",
};

/**
 * Opens .nrrd, or .nhdr with the data file that it names: raw, gzip and ascii. The field takes the header's `content`
 * as its name, or “values”.
 */
export async function readNrrd(
  source: Source,
  job: JobContext,
  options: { readonly companions?: FindCompanion },
): Promise<StoredData> {
  const cursor = new ByteCursor(source, new Yielder(job, `Reading ${source.name}`));
  const header = await readNrrdHeader(cursor);
  const dtype = types[header.required("type").toLowerCase()];
  if (!dtype)
    throw unsupported(
      `“${source.name}” has values of type “${header.text("type")}”.`,
      "Crinkle reads integers of 1 to 8 bytes, float and double.",
    );
  const { grid, components, notes } = nrrdGeometry(header);
  const builder = new DataSetBuilder(source.name, grid);
  for (const note of notes) builder.note(note);
  const data = dataCursor(header, cursor, options.companions);
  const values = await openValues(header, data, dtype, nodeCount(grid) * components);
  builder.add(header.text("content") ?? "values", "node", components, values);
  return builder.build();
}

/** The start of the values: after the header, or in the file that it names. */
function dataCursor(
  header: NrrdHeader,
  cursor: ByteCursor,
  companions: FindCompanion | undefined,
): ByteCursor {
  const name = header.text("data file", "datafile");
  if (name === undefined) return cursor;
  if (/^LIST\b/.test(name) || /%\d*d/.test(name)) {
    throw unsupported(
      `“${header.name}” spreads its values over several files (“${name}”).`,
      "Join them into one .nrrd file.",
    );
  }
  return new ByteCursor(companionOf(header.name, name, companions), cursor.yielder);
}

/** Reads values that are encoded; raw ones when they are asked for. */
async function openValues(
  header: NrrdHeader,
  cursor: ByteCursor,
  dtype: DType,
  count: number,
): Promise<TypedArray | DeferredArray> {
  const encoding = header.required("encoding").toLowerCase();
  const lineSkip = skipOf(header, "line skip", "lineskip");
  const byteSkip = skipOf(header, "byte skip", "byteskip");
  for (let i = 0; i < lineSkip; i++) {
    if ((await readLine(cursor)) === undefined)
      throw header.bad("line skip", `line skip is ${lineSkip}, but the file has only ${i} lines.`);
  }
  switch (encoding) {
    case "raw": {
      const bytes = count * bytesPerElement(dtype);
      cursor.seek(byteSkip < 0 ? Math.max(cursor.end - bytes, cursor.position) : cursor.position + byteSkip);
      return deferredArray(cursor, dtype, count, byteOrder(header, dtype), "the field");
    }
    case "gzip":
    case "gz":
      if (byteSkip !== 0)
        throw unsupported(
          `“${header.name}” has a byte skip of ${byteSkip} inside compressed values.`,
          "Save it without a byte skip.",
        );
      return readGzip(cursor, dtype, count, byteOrder(header, dtype));
    case "ascii":
    case "text":
    case "txt":
      if (byteSkip > 0) cursor.seek(cursor.position + byteSkip);
      return readAsciiArray(cursor, dtype, count, "the field");
    default:
      throw unsupported(
        `“${header.name}” has the encoding “${encoding}”, which Crinkle does not read.`,
        "Save it raw or with gzip.",
      );
  }
}

async function readGzip(
  cursor: ByteCursor,
  dtype: DType,
  count: number,
  order: ByteOrder,
): Promise<TypedArray> {
  const { source, yielder } = cursor;
  const bytes = count * bytesPerElement(dtype);
  const compressed = cursor.atMost;
  if (!canInflateTo(compressed, bytes)) {
    throw tooShort(
      cursor,
      `the field of ${formatCount(bytes)} bytes cannot be compressed into ${formatCount(compressed)}`,
    );
  }
  const array = allocate(dtype, count, "the field");
  await inflateGzip(cursor, compressed, bytesOf(array), "the field", source.name, yielder);
  await toNativeOrder(array, order, yielder);
  return array;
}

function skipOf(header: NrrdHeader, ...spellings: string[]): number {
  const text = header.text(...spellings) ?? "0";
  const lowest = spellings[0] === "byte skip" ? -1 : 0;
  if (!/^-?\d{1,15}$/.test(text) || Number(text) < lowest)
    throw header.bad(spellings[0], `${spellings[0]} is “${text}”.`);
  return Number(text);
}

function byteOrder(header: NrrdHeader, dtype: DType): ByteOrder {
  const text = header.text("endian")?.toLowerCase();
  if (text === "little" || text === "big") return text;
  if (bytesPerElement(dtype) === 1) return "little";
  throw header.bad("endian", `endian is “${text ?? "missing"}”, where little or big is expected.`);
}
