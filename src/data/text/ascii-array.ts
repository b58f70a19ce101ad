import type { DType, TypedArray } from "../../core/dtype.ts";
import { formatCount } from "../../core/format.ts";
import { allocate } from "../bytes/allocate.ts";
import type { ByteCursor } from "../bytes/cursor.ts";
import { badFile, printable, tooShort } from "../failure.ts";
import { isNaNText, latin1, parseNumber } from "./numbers.ts";

const longestToken = 512;
const runLength = 4096;

const integerRanges: Partial<Record<DType, readonly [number, number]>> = {
  i8: [-128, 127],
  u8: [0, 255],
  i16: [-32768, 32767],
  u16: [0, 65535],
  i32: [-2147483648, 2147483647],
  u32: [0, 4294967295],
};

/**
 * Reads `count` numbers separated by white space. A value that the dtype cannot hold is an error, not a wrap-around.
 * At least two bytes per number must be left, which bounds what a wrong header can allocate.
 */
export async function readAsciiArray(
  cursor: ByteCursor,
  dtype: DType,
  count: number,
  what: string,
): Promise<TypedArray> {
  if (count * 2 - 1 > cursor.atMost) {
    throw tooShort(cursor, `${what} needs ${formatCount(count)} numbers from ${cursor.place()} on`);
  }
  const array = allocate(dtype, count, what);
  const wide = array instanceof BigInt64Array || array instanceof BigUint64Array;
  const scratch = new Float64Array(wide ? 0 : Math.min(runLength, count));
  let filled = 0;
  while (filled < count) {
    await cursor.ensure(longestToken);
    if (cursor.yielder.isDue()) await cursor.yielder.yield(cursor.position / cursor.source.size);
    const wanted = Math.min(runLength, count - filled);
    let got: number;
    if (wide) got = parseBigRun(cursor, array, filled, wanted, dtype, what);
    else {
      got = parseRun(cursor, scratch, wanted, dtype, what);
      array.set(got === scratch.length ? scratch : scratch.subarray(0, got), filled);
    }
    filled += got;
    if (got === 0 && cursor.atEnd) {
      throw tooShort(
        cursor,
        `${what} has ${formatCount(filled)} of its ${formatCount(count)} numbers by then`,
      );
    }
  }
  return array;
}

/** Parses up to `wanted` numbers of the window, stopping before a token that the window may have cut. */
function parseRun(cursor: ByteCursor, out: Float64Array, wanted: number, dtype: DType, what: string): number {
  const range = integerRanges[dtype];
  const low = range ? range[0] : Number.NEGATIVE_INFINITY;
  const high = range ? range[1] : Number.POSITIVE_INFINITY;
  let got = 0;
  while (got < wanted) {
    const to = nextToken(cursor);
    if (to < 0) break;
    const value = parseNumber(cursor.window, cursor.at, to);
    if (!(value >= low && value <= high) || (range && value !== Math.trunc(value))) {
      if (range || !isNaNText(latin1(cursor.window, cursor.at, to))) throw notOfType(cursor, to, dtype, what);
    }
    out[got++] = value;
    cursor.at = to;
  }
  return got;
}

function parseBigRun(
  cursor: ByteCursor,
  out: BigInt64Array | BigUint64Array,
  from: number,
  wanted: number,
  dtype: DType,
  what: string,
): number {
  let got = 0;
  while (got < wanted) {
    const to = nextToken(cursor);
    if (to < 0) break;
    const text = latin1(cursor.window, cursor.at, to);
    if (!/^[+-]?\d+$/.test(text)) throw notOfType(cursor, to, dtype, what);
    const value = BigInt(text.startsWith("+") ? text.slice(1) : text);
    out[from + got] = value;
    if (out[from + got] !== value) throw notOfType(cursor, to, dtype, what);
    got++;
    cursor.at = to;
  }
  return got;
}

/** Moves to the next token and returns its end in the window; −1 where the window must be refilled first. */
function nextToken(cursor: ByteCursor): number {
  const { window } = cursor;
  let at = cursor.at;
  while (at < window.length && window[at] <= 0x20) {
    if (window[at] === 0x0a && cursor.line > 0) cursor.line++;
    at++;
  }
  cursor.at = at;
  let to = at;
  while (to < window.length && window[to] > 0x20) to++;
  if (at === to) return -1;
  if (to === window.length && !cursor.windowIsLast && to - at < longestToken) return -1;
  return to;
}

function notOfType(cursor: ByteCursor, to: number, dtype: DType, what: string): Error {
  const text = latin1(cursor.window, cursor.at, Math.min(to, cursor.at + 40));
  return badFile(
    cursor.source.name,
    cursor.place(),
    `${what} has “${printable(text)}” where a number of type ${dtype} is expected.`,
    "The file is damaged, or its header is wrong.",
  );
}
