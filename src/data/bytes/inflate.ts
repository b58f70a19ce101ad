import { Gunzip, Unzlib, unzlibSync } from "fflate";
import { CrinkleError } from "../../core/errors.ts";
import { formatCount } from "../../core/format.ts";
import { badFile } from "../failure.ts";
import type { ByteStream } from "./cursor.ts";
import type { Yielder } from "./yielder.ts";

/** Deflate shrinks no data to less than about 1/1032 of its size. */
const greatestRatio = 1032;
const wholeBlockBytes = 1 << 22;
const pieceBytes = 1 << 16;

/** Whether `compressed` bytes of deflate can hold `inflated` bytes; call it before allocating them. */
export function canInflateTo(compressed: number, inflated: number): boolean {
  return inflated <= compressed * greatestRatio;
}

/** Inflates one zlib block of `compressed` bytes, which must fill `target` exactly; checks its Adler-32 sum. */
export async function inflateZlib(
  stream: ByteStream,
  compressed: number,
  target: Uint8Array,
  what: string,
  file: string,
  yielder: Yielder,
): Promise<void> {
  const place = stream.place();
  const broken = (why: string) =>
    badFile(file, place, `${what} is compressed, but ${why}.`, "The file is truncated or damaged.");
  if (compressed < 6) throw broken(`a block has only ${compressed} bytes`);
  if (target.length > wholeBlockBytes || compressed > wholeBlockBytes) {
    await inflatePieces(new Unzlib(), stream, compressed, target, what, broken, yielder);
    return;
  }
  const block = new Uint8Array(compressed);
  await stream.readInto(block, what);
  let length: number;
  try {
    length = unzlibSync(block, { out: target }).length;
  } catch {
    throw broken("a block cannot be decompressed");
  }
  if (length !== target.length)
    throw broken(`a block holds ${formatCount(length)} bytes instead of ${formatCount(target.length)}`);
  const sum = new DataView(block.buffer).getUint32(compressed - 4);
  if (adler32(target) !== sum) throw broken("a block's checksum is wrong");
}

/** Inflates a gzip stream of `compressed` bytes, which must fill `target` exactly. */
export async function inflateGzip(
  stream: ByteStream,
  compressed: number,
  target: Uint8Array,
  what: string,
  file: string,
  yielder: Yielder,
): Promise<void> {
  const place = stream.place();
  const broken = (why: string) =>
    badFile(file, place, `${what} is compressed, but ${why}.`, "The file is truncated or damaged.");
  await inflatePieces(new Gunzip(), stream, compressed, target, what, broken, yielder);
}

async function inflatePieces(
  inflater: Unzlib | Gunzip,
  stream: ByteStream,
  compressed: number,
  target: Uint8Array,
  what: string,
  broken: (why: string) => CrinkleError,
  yielder: Yielder,
): Promise<void> {
  let filled = 0;
  inflater.ondata = (data) => {
    if (filled + data.length > target.length)
      throw broken(`it holds more than the ${formatCount(target.length)} bytes that are expected`);
    target.set(data, filled);
    filled += data.length;
  };
  for (let read = 0; read < compressed; ) {
    const piece = new Uint8Array(Math.min(pieceBytes, compressed - read));
    await stream.readInto(piece, what);
    read += piece.length;
    try {
      // A last piece is taken to end the first part of a gzip stream, and what follows is ignored: so the last one is empty.
      inflater.push(piece);
      if (read === compressed) inflater.push(new Uint8Array(0), true);
    } catch (error) {
      throw error instanceof CrinkleError ? error : broken("it cannot be decompressed");
    }
    if (yielder.isDue()) await yielder.yield(filled / target.length);
  }
  if (filled !== target.length)
    throw broken(`it holds ${formatCount(filled)} bytes instead of ${formatCount(target.length)}`);
}

/** Adler-32 (RFC 1950); sums are reduced every 3800 bytes, before they can exceed 2³². */
export function adler32(bytes: Uint8Array): number {
  let a = 1;
  let b = 0;
  for (let from = 0; from < bytes.length; ) {
    const to = Math.min(from + 3800, bytes.length);
    for (; from < to; from++) {
      a += bytes[from];
      b += a;
    }
    a %= 65521;
    b %= 65521;
  }
  return b * 65536 + a;
}
