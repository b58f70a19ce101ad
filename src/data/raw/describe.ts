import { bytesPerElement, type DType, dtypes } from "../../core/dtype.ts";
import { formatCount } from "../../core/format.ts";
import type { Triple } from "../../core/grid.ts";
import type { ByteOrder } from "../bytes/order.ts";
import { extensionOf, formatOfExtension } from "../recognize.ts";

/** The description that a file of raw numbers lacks. */
export interface RawOptions {
  /** Points along x (fastest), y and z. */
  readonly dims: Triple;
  readonly dtype: DType;
  readonly byteOrder: ByteOrder;
  readonly spacing: Triple;
  readonly origin: Triple;
  /** Numbers per point, interleaved. */
  readonly components: number;
  /** Bytes before the first number. */
  readonly headerBytes: number;
}

/** Whether a file of this name can only be read with `RawOptions`. */
export function needsRawDescription(name: string): boolean {
  return formatOfExtension(extensionOf(name)) === "raw";
}

const wordTypes: Record<string, DType> = {
  uint8: "u8",
  uchar: "u8",
  byte: "u8",
  int8: "i8",
  char: "i8",
  uint16: "u16",
  ushort: "u16",
  int16: "i16",
  short: "i16",
  uint32: "u32",
  uint: "u32",
  int32: "i32",
  int: "i32",
  int64: "i64",
  uint64: "u64",
  float32: "f32",
  float: "f32",
  float64: "f64",
  double: "f64",
};
for (const dtype of dtypes) wordTypes[dtype] = dtype;

/**
 * A first description of a raw file from its name and size, as in `bonsai_256x256x256_uint8.raw`; if the name gives no
 * extents, a cube is tried. Other properties get common values: little-endian, spacing 1.
 */
export function guessRaw(name: string, size: number): RawOptions {
  const lower = name.toLowerCase();
  const words = lower.split(/[^a-z0-9]+/);
  const named = words.map((word) => wordTypes[word]).find((dtype) => dtype !== undefined);
  const components = /(?:^|[^a-z])(?:vec3|vectors?|velocity|rgb)(?:[^a-z]|$)/.test(lower) ? 3 : 1;
  const match = /(\d+)[x×_](\d+)[x×_](\d+)/.exec(lower);
  const dims = match ? triple(match.slice(1).map(Number)) : undefined;
  const base = {
    byteOrder: words.includes("be") || words.includes("big") ? ("big" as const) : ("little" as const),
    spacing: triple([1, 1, 1]),
    origin: triple([0, 0, 0]),
    headerBytes: 0,
  };
  if (dims) {
    const points = dims[0] * dims[1] * dims[2];
    const fits = (dtype: DType, count: number) => points * count * bytesPerElement(dtype) === size;
    const candidates: DType[] = named ? [named] : ["u8", "u16", "f32", "f64"];
    for (const count of [components, 1, 3]) {
      const dtype = candidates.find((candidate) => fits(candidate, count));
      if (dtype) return { ...base, dims, dtype, components: count };
    }
    return { ...base, dims, dtype: named ?? "u8", components };
  }
  for (const dtype of named ? [named] : (["u8", "u16", "f32", "f64"] as const)) {
    const side = Math.round(Math.cbrt(size / (bytesPerElement(dtype) * components)));
    if (side > 0 && side ** 3 * bytesPerElement(dtype) * components === size) {
      return { ...base, dims: [side, side, side], dtype, components };
    }
  }
  const dtype = named ?? "u8";
  return {
    ...base,
    dims: [Math.max(1, Math.floor(size / bytesPerElement(dtype))), 1, 1],
    dtype,
    components: 1,
  };
}

/** How to describe a file of raw numbers, as a sentence: with what its name and size suggest, if these fit. */
export function howToDescribe(name: string, size: number): string {
  const guess = guessRaw(name, size);
  const isCredible = rawBytes(guess) === size && guess.dims[1] > 1;
  const { dims, dtype, components } = isCredible
    ? guess
    : ({ dims: [64, 64, 64], dtype: "u8", components: 1 } as const);
  const options = `--dims ${dims.join("x")} --dtype ${dtype}${components > 1 ? ` --components ${components}` : ""}`;
  return `Give its dimensions and type, as in ${options}${isCredible ? ", which would fit its size" : ""}.`;
}

/** Size in bytes of a file as described, including its header. */
export function rawBytes({ dims, dtype, components, headerBytes }: RawOptions): number {
  return headerBytes + dims[0] * dims[1] * dims[2] * components * bytesPerElement(dtype);
}

/** Why a file of `size` bytes cannot be read as described, as a sentence; undefined if it can. */
export function rawFault(options: RawOptions, size: number): string | undefined {
  const { dims, dtype, components, spacing, origin, headerBytes } = options;
  if (!dims.every((n) => Number.isSafeInteger(n) && n > 0))
    return `The dimensions are ${dims.join(" × ")}, but must be positive whole numbers.`;
  if (!Number.isSafeInteger(components) || components < 1)
    return `The number of components is ${components}, but must be a positive whole number.`;
  if (!Number.isSafeInteger(headerBytes) || headerBytes < 0)
    return `The header's length is ${headerBytes} bytes, but must be a whole number from 0.`;
  if (!spacing.every((h) => Number.isFinite(h) && h > 0))
    return `The spacing is ${spacing.join(", ")}, but must be positive.`;
  if (!origin.every(Number.isFinite))
    return `The origin is ${origin.join(", ")}, but must be three finite numbers.`;
  const need = rawBytes(options);
  if (need <= size) return undefined;
  const header = headerBytes > 0 ? ` behind a header of ${formatCount(headerBytes)} bytes` : "";
  const per = components > 1 ? ` × ${components} components` : "";
  return `${dims.join(" × ")} points${per} of ${dtype}${header} need ${formatCount(need)} bytes, but the file has ${formatCount(size)}.`;
}

function triple(numbers: readonly number[]): Triple {
  return [numbers[0], numbers[1], numbers[2]];
}
