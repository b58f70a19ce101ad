import { type DecodedPng, decode } from "fast-png";
import { badFile } from "../failure.ts";
import type { Source } from "../source.ts";
import { checkPixels, decoded, type Picture } from "./picture.ts";

/** Where the header states the width, the height, the bits of a channel and the kind of colour. */
const headerBytes = 33;

const channelsOfKind: Readonly<Record<number, number>> = { 0: 1, 2: 3, 3: 1, 4: 2, 6: 4 };

/** Decodes a PNG picture, with its checksums; colours of a palette become red, green and blue. Throws BadFile. */
export async function decodePng(source: Source): Promise<readonly Picture[]> {
  const bytes = await source.read(0, source.size);
  if (bytes.length < headerBytes)
    throw badFile(source.name, `byte ${bytes.length}`, "the file ends within its header.");
  const view = new DataView(bytes.buffer);
  const [width, height, bits] = [view.getUint32(16), view.getUint32(20), bytes[24]];
  checkPixels(source, width, height, ((channelsOfKind[bytes[25]] ?? 1) * bits) / 8);
  return [pictureOf(decoded(source, "pixels", () => decode(bytes, { checkCrc: true })))];
}

function pictureOf({ width, height, data, depth, channels, palette }: DecodedPng): Picture {
  const numbers = depth < 8 ? unpacked(data, width * channels, height, depth) : data;
  if (!palette) {
    const values = numbers instanceof Uint16Array ? numbers : Uint8Array.from(numbers);
    return { width, height, channels, values };
  }
  const parts = palette[0]?.length ?? 3;
  const values = new Uint8Array(width * height * parts);
  for (let i = 0; i < numbers.length; i++) values.set(palette[numbers[i]] ?? [], i * parts);
  return { width, height, channels: parts, values };
}

/** Numbers of 1, 2 or 4 bits, whose rows begin with a byte, the first in the upper bits. */
function unpacked(data: ArrayLike<number>, columns: number, rows: number, bits: number): Uint8Array {
  const values = new Uint8Array(columns * rows);
  const rowBytes = Math.ceil((columns * bits) / 8);
  const perByte = 8 / bits;
  for (let row = 0, at = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, at++) {
      const byte = data[row * rowBytes + Math.floor(column / perByte)];
      values[at] = (byte >> (8 - bits * (1 + (column % perByte)))) & (2 ** bits - 1);
    }
  }
  return values;
}
