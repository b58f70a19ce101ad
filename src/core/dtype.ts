/** Element types of stored arrays, named as NumPy abbreviates them. */
export type DType = "i8" | "u8" | "i16" | "u16" | "i32" | "u32" | "i64" | "u64" | "f32" | "f64";

export type TypedArray =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array;

type TypedArrayConstructor = {
  new (length: number): TypedArray;
  new (buffer: ArrayBufferLike, byteOffset?: number, length?: number): TypedArray;
  readonly BYTES_PER_ELEMENT: number;
};

const constructors: Record<DType, TypedArrayConstructor> = {
  i8: Int8Array,
  u8: Uint8Array,
  i16: Int16Array,
  u16: Uint16Array,
  i32: Int32Array,
  u32: Uint32Array,
  i64: BigInt64Array,
  u64: BigUint64Array,
  f32: Float32Array,
  f64: Float64Array,
};

export const dtypes = Object.keys(constructors) as readonly DType[];

export function arrayOf(dtype: DType): TypedArrayConstructor {
  return constructors[dtype];
}

export function bytesPerElement(dtype: DType): number {
  return constructors[dtype].BYTES_PER_ELEMENT;
}

export function dtypeOf(array: TypedArray): DType {
  for (const dtype of dtypes) if (array instanceof constructors[dtype]) return dtype;
  throw new TypeError(`no dtype for ${Object.prototype.toString.call(array)}`);
}

/** Whether every value of the type is represented exactly by an f32. */
export function fitsF32(dtype: DType): boolean {
  return dtype === "f32" || dtype.endsWith("8") || dtype.endsWith("16");
}

/** The machine's own byte order: true on every platform that browsers and Node support today. */
export const isLittleEndian = new Uint8Array(new Uint16Array([1]).buffer)[0] === 1;

/** Reverses the bytes of each element in place, for files of the other byte order. */
export function swapBytes(bytes: Uint8Array, width: number): void {
  if (width === 1) return;
  if (bytes.byteOffset % width === 0 && (width === 2 || width === 4 || width === 8)) {
    swapAligned(bytes, width);
    return;
  }
  for (let at = 0; at + width <= bytes.length; at += width) {
    for (let lo = at, hi = at + width - 1; lo < hi; lo++, hi--) {
      const b = bytes[lo];
      bytes[lo] = bytes[hi];
      bytes[hi] = b;
    }
  }
}

function swapAligned(bytes: Uint8Array, width: 2 | 4 | 8): void {
  const count = Math.floor(bytes.length / width);
  if (width === 2) {
    const words = new Uint16Array(bytes.buffer, bytes.byteOffset, count);
    for (let i = 0; i < count; i++) words[i] = (words[i] << 8) | (words[i] >>> 8);
    return;
  }
  const words = new Uint32Array(bytes.buffer, bytes.byteOffset, (count * width) / 4);
  for (let i = 0; i < words.length; i++) {
    const w = words[i];
    words[i] = (w << 24) | ((w & 0xff00) << 8) | ((w >>> 8) & 0xff00) | (w >>> 24);
  }
  if (width === 4) return;
  for (let i = 0; i + 1 < words.length; i += 2) {
    const low = words[i];
    words[i] = words[i + 1];
    words[i + 1] = low;
  }
}
