import { bytesPerElement, type DType, type TypedArray } from "../../core/dtype.ts";
import { formatCount } from "../../core/format.ts";
import { allocate, bytesOf } from "../bytes/allocate.ts";
import { unpackBits } from "../bytes/bits.ts";
import { ByteCursor, type ByteStream } from "../bytes/cursor.ts";
import { type DeferredArray, deferredArray, isDeferred } from "../bytes/deferred.ts";
import { canInflateTo, inflateZlib } from "../bytes/inflate.ts";
import { toNativeOrder } from "../bytes/order.ts";
import { badFile, type FilePosition, tooShort } from "../failure.ts";
import { parseCount } from "../text/lines.ts";
import type { XmlFile } from "./file.ts";
import type { XmlElement } from "./tokenizer.ts";

const types: Record<string, DType | "bit"> = {
  Int8: "i8",
  UInt8: "u8",
  Int16: "i16",
  UInt16: "u16",
  Int32: "i32",
  UInt32: "u32",
  Int64: "i64",
  UInt64: "u64",
  Float32: "f32",
  Float64: "f64",
  Bit: "bit",
};

/** Components of a DataArray. Throws BadFile if the attribute is not a positive integer. */
export function componentsOf(element: XmlElement, file: XmlFile): number {
  const text = element.attributes.get("NumberOfComponents") ?? "1";
  const components = parseCount(text);
  if (!components) {
    throw badFile(
      file.source.name,
      `line ${element.line}`,
      `NumberOfComponents is “${text}”, not a positive integer.`,
    );
  }
  return components;
}

/** Reads the `count` numbers of a DataArray; `what` names it in messages. */
export async function readDataArray(
  file: XmlFile,
  element: XmlElement,
  count: number,
  what: string,
): Promise<TypedArray> {
  const array = await openDataArray(file, element, count, what);
  return isDeferred(array) ? array.read(0, count, file.yielder.job) : array;
}

/** The same, but leaves numbers that are appended as they are in the file until they are asked for. */
export async function openDataArray(
  file: XmlFile,
  element: XmlElement,
  count: number,
  what: string,
): Promise<TypedArray | DeferredArray> {
  const { name } = file.source;
  const typeName = element.attributes.get("type") ?? "";
  const type = types[typeName];
  if (!type) throw badFile(name, `line ${element.line}`, `${what} has the unknown type “${typeName}”.`);
  const format = element.attributes.get("format") ?? "ascii";
  if (format === "ascii") {
    const { readAsciiArray } = await import("../text/ascii-array.ts");
    return readAsciiArray(inlineText(file, element), type === "bit" ? "u8" : type, count, what);
  }
  let stream: ByteStream;
  if (format === "binary") stream = await base64(inlineText(file, element));
  else if (format === "appended") stream = await appendedStream(file, element, what);
  else
    throw badFile(
      name,
      `line ${element.line}`,
      `${what} has the format “${format}”, neither ascii, binary nor appended.`,
    );
  if (type === "bit") {
    const packed = await readBlocks(file, stream, "u8", Math.ceil(count / 8), what);
    return unpackBits(packed as Uint8Array, count, what);
  }
  if (file.compressor === "none" && stream instanceof ByteCursor) {
    await passLength(file, stream, count * bytesPerElement(type), what);
    return deferredArray(stream, type, count, file.order, what);
  }
  const array = await readBlocks(file, stream, type, count, what);
  await toNativeOrder(array, file.order, file.yielder);
  return array;
}

/** The longest run of text in the element: others surround InformationKey children. */
function inlineText(file: XmlFile, element: XmlElement): ByteCursor {
  const [range] = [...element.text].sort((a, b) => b.to - b.from - (a.to - a.from));
  const from = range?.from ?? element.contentFrom;
  return new ByteCursor(file.source, file.yielder, from, range?.to ?? from, range?.line ?? element.line);
}

/** Files of today rarely need it. */
async function base64(text: ByteCursor): Promise<ByteStream> {
  const { Base64Stream } = await import("../bytes/base64.ts");
  return new Base64Stream(text);
}

async function appendedStream(file: XmlFile, element: XmlElement, what: string): Promise<ByteStream> {
  const { source, appended } = file;
  if (!appended)
    throw tooShort({ source, end: source.size }, `${what} should lie in appended data, but there is none`);
  const text = element.attributes.get("offset");
  const offset = parseCount(text);
  if (offset === undefined)
    throw badFile(source.name, `line ${element.line}`, `${what} has the offset “${text ?? ""}”.`);
  const from = appended.from + offset;
  if (from > source.size)
    throw tooShort({ source, end: source.size }, `${what} should start at byte ${formatCount(from)}`);
  const cursor = new ByteCursor(source, file.yielder, from, source.size, 0);
  return appended.encoding === "raw" ? cursor : base64(cursor);
}

/** Reads an array stored as one run of bytes after its length, or as zlib blocks after their sizes. */
async function readBlocks(
  file: XmlFile,
  stream: ByteStream,
  dtype: DType,
  count: number,
  what: string,
): Promise<TypedArray> {
  const expected = count * bytesPerElement(dtype);
  const { name } = file.source;
  const place = stream.place();
  const wrongSize = (got: number) => badLength(file, place, what, got, expected);
  if (file.compressor === "none") {
    await passLength(file, stream, expected, what);
    if (expected > stream.atMost) throw tooShort(stream, `${what} needs ${formatCount(expected)} bytes`);
    const array = allocate(dtype, count, what);
    await stream.readInto(bytesOf(array), what);
    return array;
  }
  const [blocks] = await readHeader(file, stream, 1, what);
  if (blocks === 0) {
    if (expected !== 0) throw wrongSize(0);
    return allocate(dtype, 0, what);
  }
  const [blockSize, lastSize] = await readHeader(file, stream, 2, what);
  const total = lastSize === 0 ? blocks * blockSize : (blocks - 1) * blockSize + lastSize;
  if (total !== expected) throw wrongSize(total);
  const sizes = await readHeader(file, stream, blocks, what);
  const compressed = sizes.reduce((sum, bytes) => sum + bytes, 0);
  if (compressed > stream.atMost)
    throw tooShort(
      stream,
      `the ${blocks} compressed blocks of ${what} need ${formatCount(compressed)} bytes`,
    );
  if (!canInflateTo(compressed, expected))
    throw badFile(
      name,
      place,
      `${what} cannot hold ${formatCount(expected)} bytes in ${formatCount(compressed)} compressed ones.`,
    );
  const array = allocate(dtype, count, what);
  const bytes = bytesOf(array);
  for (let block = 0; block < blocks; block++) {
    if (file.yielder.isDue()) await file.yielder.yield((block * blockSize) / expected);
    const target = bytes.subarray(block * blockSize, Math.min((block + 1) * blockSize, expected));
    await inflateZlib(stream, sizes[block], target, what, name, file.yielder);
  }
  return array;
}

/** Reads the length before an uncompressed array, which must be the expected number of bytes. */
async function passLength(file: XmlFile, stream: ByteStream, expected: number, what: string): Promise<void> {
  const place = stream.place();
  const [length] = await readHeader(file, stream, 1, what);
  if (length !== expected) throw badLength(file, place, what, length, expected);
}

const badLength = (file: XmlFile, place: FilePosition, what: string, length: number, expected: number) =>
  badFile(
    file.source.name,
    place,
    `${what} holds ${formatCount(length)} bytes where its grid needs ${formatCount(expected)}.`,
    "The file is damaged, or its header is wrong.",
  );

async function readHeader(file: XmlFile, stream: ByteStream, count: number, what: string): Promise<number[]> {
  const { headerWidth, order } = file;
  if (count * headerWidth > stream.atMost) {
    throw tooShort(stream, `the header of ${what} declares ${formatCount(count)} blocks`);
  }
  const bytes = new Uint8Array(count * headerWidth);
  await stream.readInto(bytes, `the header of ${what}`);
  const view = new DataView(bytes.buffer);
  const little = order === "little";
  return Array.from({ length: count }, (_, i) =>
    headerWidth === 4 ? view.getUint32(4 * i, little) : Number(view.getBigUint64(8 * i, little)),
  );
}
