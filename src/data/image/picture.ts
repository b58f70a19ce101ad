/** What the decoders of pictures yield, and its way to a field. */
import type { TypedArray } from "../../core/dtype.ts";
import { CrinkleError } from "../../core/errors.ts";
import { formatCount } from "../../core/format.ts";
import { canInflateTo } from "../bytes/inflate.ts";
import { badFile } from "../failure.ts";
import type { Source } from "../source.ts";

/** Pixels from the top row to the bottom one, from left to right in each. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Values of a pixel: grey, grey and opacity, colours, colours and opacity. */
  readonly channels: number;
  readonly values: TypedArray;
}

/** Throws BadFile where so many bytes of pixels cannot be packed into a file of this size. */
export function checkPixels(
  { name, size }: Source,
  width: number,
  height: number,
  bytesOfPixel: number,
): void {
  const bytes = width * height * bytesOfPixel;
  if (bytes > 0 && canInflateTo(size, bytes)) return;
  throw badFile(
    name,
    "its header",
    `${formatCount(width)} × ${formatCount(height)} pixels cannot be packed into ${formatCount(size)} bytes.`,
    "The file is truncated or damaged.",
  );
}

/** Runs a decoder, whose errors become BadFile. */
export function decoded<T>({ name }: Source, what: string, decode: () => T): T {
  try {
    return decode();
  } catch (error) {
    if (error instanceof CrinkleError) throw error;
    const why = error instanceof Error ? error.message : String(error);
    throw badFile(name, `its ${what}`, `it cannot be decoded (${why}).`, "The file is truncated or damaged.");
  }
}

/** Copies a picture's rows from the bottom one up into a layer of a stack: y points upwards in space, downwards in pictures. */
export function placeRows({ height, values }: Picture, layers: TypedArray, layer: number): void {
  const row = values.length / height;
  const from = values as TypedArray & { subarray(begin: number, end: number): TypedArray };
  const into = layers as TypedArray & { set(array: ArrayLike<number | bigint>, offset: number): void };
  for (let y = 0; y < height; y++)
    into.set(from.subarray(y * row, (y + 1) * row), layer * values.length + (height - 1 - y) * row);
}
