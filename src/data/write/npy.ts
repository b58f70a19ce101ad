import { type DType, isLittleEndian } from "../../core/dtype.ts";
import type { Field } from "../../core/field.ts";
import { type Grid, valueDims } from "../../core/grid.ts";
import { bytesOf } from "../bytes/allocate.ts";
import type { Chunks } from "./chunks.ts";

const kinds: Record<DType, string> = {
  i8: "i1",
  u8: "u1",
  i16: "i2",
  u16: "u2",
  i32: "i4",
  u32: "u4",
  i64: "i8",
  u64: "u8",
  f32: "f4",
  f64: "f8",
};

const alignment = 64;

/** Writes a field as NumPy's .npy, version 1.0: C order, shape (nz, ny, nx), or (nz, ny, nx, components) for vectors. */
export function writeNpy(grid: Grid, field: Field): Chunks {
  const [nx, ny, nz] = valueDims(grid, field.centering);
  const shape = field.components === 1 ? [nz, ny, nx] : [nz, ny, nx, field.components];
  const kind = kinds[field.dtype];
  const order = kind.endsWith("1") ? "|" : isLittleEndian ? "<" : ">";
  const head = npyHead(`'${order}${kind}'`, shape.join(", "));
  return [head, bytesOf(field.data) as Uint8Array<ArrayBuffer>];
}

/** What comes before an array's bytes: NumPy's description of an element, and the lengths along the axes. */
export function npyHead(description: string, shape: string): Uint8Array<ArrayBuffer> {
  const head = `{'descr': ${description}, 'fortran_order': False, 'shape': (${shape}), }`;
  const prefixBytes = 10;
  const padding = " ".repeat(alignment - ((prefixBytes + head.length + 1) % alignment));
  const text = `\x93NUMPY\x01\x00\0\0${head}${padding}\n`;
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  new DataView(bytes.buffer).setUint16(8, bytes.length - prefixBytes, true);
  return bytes;
}
