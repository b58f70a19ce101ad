import { type DType, dtypes, isLittleEndian } from "../../core/dtype.ts";
import type { Field } from "../../core/field.ts";
import { type Grid, valueDims } from "../../core/grid.ts";
import { type ElementTypeName, elementTypeNamed } from "../../core/hypercube/shape.ts";
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

/** NumPy's description of an element of this machine's byte order. */
export function npyDescription(dtype: DType): string {
  const kind = kinds[dtype];
  return `${kind.endsWith("1") ? "|" : isLittleEndian ? "<" : ">"}${kind}`;
}

/** Writes a field as NumPy's .npy, version 1.0: C order, shape (nz, ny, nx), or (nz, ny, nx, components) for vectors. */
export function writeNpy(grid: Grid, field: Field): Chunks {
  const [nx, ny, nz] = valueDims(grid, field.centering);
  const shape = field.components === 1 ? [nz, ny, nx] : [nz, ny, nx, field.components];
  const head = npyHead(`'${npyDescription(field.dtype)}'`, shape.join(", "));
  return [head, bytesOf(field.data) as Uint8Array<ArrayBuffer>];
}

/** What comes before an array's bytes: NumPy's description of an element, and the lengths along the axes. */
export function npyHead(description: string, shape: string, isFortranOrder = false): Uint8Array<ArrayBuffer> {
  const order = isFortranOrder ? "True" : "False";
  const head = `{'descr': ${description}, 'fortran_order': ${order}, 'shape': (${shape}), }`;
  const prefixBytes = 10;
  const padding = " ".repeat(alignment - ((prefixBytes + head.length + 1) % alignment));
  const text = `\x93NUMPY\x01\x00\0\0${head}${padding}\n`;
  const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
  new DataView(bytes.buffer).setUint16(8, bytes.length - prefixBytes, true);
  return bytes;
}

/** Writes elements, described as NumPy does, as .npy of any number of axes: `lengths` has the fastest first. */
export function writeNpyArray(
  description: string,
  lengths: readonly number[],
  bytes: Uint8Array<ArrayBuffer>,
  isFortranOrder = false,
): Chunks {
  const shape = isFortranOrder ? lengths : [...lengths].reverse();
  const text = shape.length === 1 ? `${shape[0]},` : shape.join(", ");
  return [npyHead(`'${description}'`, text, isFortranOrder), bytes];
}

/** NumPy's own name of a type that it describes so, in any order of bytes; undefined of booleans and of types that shapes do not name. */
export function typeOfNpy(description: string): ElementTypeName | undefined {
  const [, kind, bytes] = /([iufc])(\d+)$/.exec(description) ?? [];
  const word = ({ i: "int", u: "uint", f: "float", c: "complex" } as Record<string, string>)[kind];
  return elementTypeNamed(`${word}${8 * Number(bytes)}`);
}

/** The type of elements that NumPy describes so; undefined where this machine has none like it, or in another byte order. */
export const dtypeOfNpy = (description: string): DType | undefined =>
  dtypes.find((dtype) => npyDescription(dtype) === description.replace(/^=/, isLittleEndian ? "<" : ">"));
