import { bytesPerElement, type DType, type TypedArray } from "../../core/dtype.ts";
import { formatCount } from "../../core/format.ts";
import { allocate } from "../bytes/allocate.ts";
import type { ByteCursor } from "../bytes/cursor.ts";
import type { ByteOrder } from "../bytes/order.ts";
import { badFile, tooShort } from "../failure.ts";
import type { PlyElement, PropertyValues } from "./header.ts";

const pieceBytes = 1 << 20;

/** Reads an element's items; if `keep` is set, keeps the values of properties that are not lists. */
export async function readBinaryElement(
  cursor: ByteCursor,
  element: PlyElement,
  order: ByteOrder,
  keep: boolean,
): Promise<readonly PropertyValues[]> {
  const { name, count, properties } = element;
  const what = `the element “${name}”`;
  const minBytes = properties.reduce((sum, { dtype, count }) => sum + bytesPerElement(count ?? dtype), 0);
  if (count > 0 && minBytes === 0) throw badFile(cursor.source.name, "header", `${what} has no properties.`);
  cursor.requireBytes(count * minBytes, `${what} of ${formatCount(count)} items`);
  cursor.line = 0;
  const arrays = properties.map(({ dtype, count: list }) =>
    keep && !list ? allocate(dtype, count, what) : undefined,
  );
  if (properties.some((property) => property.count)) await readItems(cursor, element, arrays, order);
  else if (keep) await readRecords(cursor, element, arrays, minBytes, order);
  else cursor.seek(cursor.position + count * minBytes);
  return properties.flatMap(({ name }, i) => {
    const data = arrays[i];
    return data ? [{ name, data }] : [];
  });
}

/** Reads items of `stride` bytes each. */
async function readRecords(
  cursor: ByteCursor,
  { count, properties }: PlyElement,
  arrays: readonly (TypedArray | undefined)[],
  stride: number,
  order: ByteOrder,
): Promise<void> {
  const maxItems = Math.max(1, Math.floor(pieceBytes / stride));
  for (let from = 0; from < count; ) {
    const items = Math.min(maxItems, count - from);
    await cursor.ensure(items * stride);
    const { window, at } = cursor;
    let offset = 0;
    properties.forEach(({ dtype }, i) => {
      const array = arrays[i];
      if (array) scatter(window, at + offset, stride, items, dtype, array, from, order === "little");
      offset += bytesPerElement(dtype);
    });
    cursor.at += items * stride;
    from += items;
  }
}

/** Copies one property of `items` records to array[from] and on. */
function scatter(
  bytes: Uint8Array,
  start: number,
  stride: number,
  items: number,
  dtype: DType,
  array: TypedArray,
  from: number,
  little: boolean,
): void {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const get = getter(view, dtype, little);
  for (let i = 0, at = start; i < items; i++, at += stride) array[from + i] = get(at);
}

function getter(view: DataView, dtype: DType, little: boolean): (at: number) => number {
  switch (dtype) {
    case "i8":
      return (at) => view.getInt8(at);
    case "u8":
      return (at) => view.getUint8(at);
    case "i16":
      return (at) => view.getInt16(at, little);
    case "u16":
      return (at) => view.getUint16(at, little);
    case "i32":
      return (at) => view.getInt32(at, little);
    case "u32":
      return (at) => view.getUint32(at, little);
    case "f32":
      return (at) => view.getFloat32(at, little);
    default:
      return (at) => view.getFloat64(at, little);
  }
}

/** Reads items with lists, one after the other. */
async function readItems(
  cursor: ByteCursor,
  { name, count, properties }: PlyElement,
  arrays: readonly (TypedArray | undefined)[],
  order: ByteOrder,
): Promise<void> {
  const little = order === "little";
  for (let item = 0; item < count; item++) {
    for (let i = 0; i < properties.length; i++) {
      const { dtype, count: list } = properties[i];
      const width = bytesPerElement(list ?? dtype);
      if (cursor.window.length - cursor.at < width) await cursor.ensure(width);
      const { window, at } = cursor;
      if (window.length - at < width)
        throw tooShort(
          cursor,
          `“${name}” has ${formatCount(item)} of its ${formatCount(count)} items by then`,
        );
      const view = new DataView(window.buffer, window.byteOffset + at, width);
      const value = getter(view, list ?? dtype, little)(0);
      cursor.at += width;
      if (list) await skip(cursor, value, bytesPerElement(dtype), name);
      else {
        const array = arrays[i];
        if (array) array[item] = value;
      }
    }
  }
}

async function skip(cursor: ByteCursor, count: number, width: number, name: string): Promise<void> {
  if (count < 0)
    throw badFile(cursor.source.name, cursor.place(), `a list of “${name}” has ${count} values.`);
  cursor.requireBytes(count * width, `a list of “${name}” with ${formatCount(count)} values`);
  cursor.seek(cursor.position + count * width);
}
