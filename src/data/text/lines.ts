import type { ByteCursor } from "../bytes/cursor.ts";
import { badFile } from "../failure.ts";
import { latin1 } from "./numbers.ts";

const longestLine = 1 << 16;
const newline = 0x0a;

/** The text up to the next newline, without it or a carriage return; undefined at the end. */
export async function readLine(cursor: ByteCursor): Promise<string | undefined> {
  await cursor.ensure(longestLine + 1);
  if (cursor.atEnd) return undefined;
  const { window, at } = cursor;
  let to = window.indexOf(newline, at);
  const ended = to >= 0;
  if (!ended) to = window.length;
  if (to - at > longestLine) {
    throw badFile(
      cursor.source.name,
      cursor.place(),
      `a line of over ${longestLine} bytes stands where a header is expected.`,
    );
  }
  cursor.at = ended ? to + 1 : to;
  if (ended && cursor.line > 0) cursor.line++;
  const textEnd = to > at && window[to - 1] === 0x0d ? to - 1 : to;
  return decodeText(window.subarray(at, textEnd));
}

/** The next run of characters other than white space; undefined at the end. */
export async function readToken(cursor: ByteCursor): Promise<string | undefined> {
  await skipSpace(cursor);
  await cursor.ensure(longestLine + 1);
  if (cursor.atEnd) return undefined;
  const { window, at } = cursor;
  let to = at;
  while (to < window.length && window[to] > 0x20) to++;
  if (to - at > longestLine) {
    throw badFile(
      cursor.source.name,
      cursor.place(),
      `a word of over ${longestLine} bytes stands where a header is expected.`,
    );
  }
  cursor.at = to;
  return decodeText(window.subarray(at, to));
}

/**
 * The next `count` words of a header, fewer at the end, after which numbers follow: as text on the same line too, or as
 * bytes after the newline.
 */
export async function readWords(cursor: ByteCursor, count: number, ascii: boolean): Promise<string[]> {
  const words: string[] = [];
  while (words.length < count) {
    const word = await readToken(cursor);
    if (word === undefined) break;
    words.push(word);
  }
  if (!ascii) await readLine(cursor);
  return words;
}

/** Moves to the next byte that is not white space. */
async function skipSpace(cursor: ByteCursor): Promise<void> {
  for (;;) {
    await cursor.ensure(1);
    const { window } = cursor;
    while (cursor.at < window.length && window[cursor.at] <= 0x20) {
      if (window[cursor.at] === newline && cursor.line > 0) cursor.line++;
      cursor.at++;
    }
    if (cursor.at < window.length || cursor.windowIsLast) return;
  }
}

/** Decodes valid UTF-8 as such, and other bytes as Latin-1, which old writers used. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return latin1(bytes, 0, bytes.length);
  }
}

/** A non-negative integer, or undefined for any other text and beyond 2⁵³. */
export function parseCount(text: string | undefined): number | undefined {
  if (text === undefined || !/^\+?\d+$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isSafeInteger(value) ? value : undefined;
}

/** A finite number, or undefined. */
export function parseFinite(text: string | undefined): number | undefined {
  if (text === undefined || !/^[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?$/.test(text)) return undefined;
  const value = Number(text);
  return Number.isFinite(value) ? value : undefined;
}
