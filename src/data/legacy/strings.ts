import type { ByteCursor } from "../bytes/cursor.ts";
import { badFile } from "../failure.ts";
import { readLine } from "../text/lines.ts";

/** Skips text arrays: one line per text in ASCII, length-prefixed in binary. */
export async function skipStrings(cursor: ByteCursor, count: number, ascii: boolean): Promise<void> {
  for (let i = 0; i < count; i++) {
    if (cursor.atEnd) {
      throw badFile(
        cursor.source.name,
        cursor.place(),
        `the file ends after ${i} of ${count} texts of an array.`,
      );
    }
    if (cursor.yielder.isDue()) await cursor.yielder.yield(cursor.position / cursor.source.size);
    if (ascii) await readLine(cursor);
    else await skipBinaryString(cursor);
  }
}

/**
 * The two highest bits of the first byte give the prefix's width (0: 8 bytes, 1: 4, 2: 2, 3: 1), the rest the length.
 */
async function skipBinaryString(cursor: ByteCursor): Promise<void> {
  await cursor.ensure(8);
  cursor.line = 0;
  const { window, at } = cursor;
  const width = 8 >> (window[at] >> 6);
  let length = window[at] & 0x3f;
  for (let i = 1; i < width; i++) length = length * 256 + (window[at + i] ?? 0);
  cursor.requireBytes(width + length, "a text");
  cursor.seek(cursor.position + width + length);
}
