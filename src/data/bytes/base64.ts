import { formatCount } from "../../core/format.ts";
import { badFile, type FilePosition, printable, tooShort } from "../failure.ts";
import type { Source } from "../source.ts";
import type { ByteCursor, ByteStream } from "./cursor.ts";

const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const invalid = 0xff;
const padding = 0x3d;

const digitOf = new Uint8Array(256).fill(invalid);
for (let i = 0; i < alphabet.length; i++) digitOf[alphabet.charCodeAt(i)] = i;

/**
 * Decodes base64 text on demand. White space is skipped; padding ends a run, and another may follow, as in VTK's XML
 * files, which encode a header of block sizes separately from the blocks.
 */
export class Base64Stream implements ByteStream {
  readonly #cursor: ByteCursor;
  #bits = 0;
  #bitCount = 0;

  constructor(cursor: ByteCursor) {
    this.#cursor = cursor;
  }

  get source(): Source {
    return this.#cursor.source;
  }

  get end(): number {
    return this.#cursor.end;
  }

  get atMost(): number {
    return Math.ceil((this.#cursor.atMost * 3) / 4) + 1;
  }

  place(): FilePosition {
    return this.#cursor.place();
  }

  async readInto(target: Uint8Array, what: string): Promise<void> {
    const cursor = this.#cursor;
    let filled = 0;
    while (filled < target.length) {
      await cursor.ensure(4);
      if (cursor.yielder.isDue()) await cursor.yielder.yield(cursor.position / cursor.source.size);
      if (cursor.atEnd) {
        throw tooShort(cursor, `${what} has ${formatCount(target.length - filled)} bytes missing there`);
      }
      filled = this.#decode(target, filled);
    }
  }

  /** Decodes the window, at most to the end of `target`; returns how far `target` is filled. */
  #decode(target: Uint8Array, from: number): number {
    const cursor = this.#cursor;
    const { window } = cursor;
    let filled = from;
    let at = cursor.at;
    while (at < window.length && filled < target.length) {
      if (this.#bitCount === 0 && at + 4 <= window.length && filled + 3 <= target.length) {
        const a = digitOf[window[at]];
        const b = digitOf[window[at + 1]];
        const c = digitOf[window[at + 2]];
        const d = digitOf[window[at + 3]];
        if ((a | b | c | d) < 64) {
          target[filled] = (a << 2) | (b >> 4);
          target[filled + 1] = (b << 4) | (c >> 2);
          target[filled + 2] = (c << 6) | d;
          filled += 3;
          at += 4;
          continue;
        }
      }
      const byte = window[at++];
      const value = digitOf[byte];
      if (value !== invalid) {
        this.#bits = ((this.#bits << 6) | value) & 0xfff;
        this.#bitCount += 6;
        if (this.#bitCount >= 8) {
          this.#bitCount -= 8;
          target[filled++] = this.#bits >> this.#bitCount;
        }
      } else if (byte === padding) {
        this.#bits = 0;
        this.#bitCount = 0;
      } else if (byte > 0x20) {
        cursor.at = at - 1;
        const found = printable(String.fromCharCode(byte));
        throw badFile(
          cursor.source.name,
          `byte ${formatCount(cursor.position)}`,
          `“${found}” is not a base64 digit.`,
          "The file is truncated or damaged.",
        );
      } else if (byte === 0x0a && cursor.line > 0) cursor.line++;
    }
    cursor.at = at;
    return filled;
  }
}
