import { bytesPerElement, type DType, swapBytes, type TypedArray } from "../../core/dtype.ts";
import { formatCount } from "../../core/format.ts";
import { type ByteRange, type FilePosition, tooShort } from "../failure.ts";
import type { Source } from "../source.ts";
import { allocate, bytesOf } from "./allocate.ts";
import { type ByteOrder, isForeign } from "./order.ts";
import type { Yielder } from "./yielder.ts";

/** Decoded bytes in order, from any encoding. */
export interface ByteStream extends ByteRange {
  readonly source: Source;
  /** Upper bound of the bytes left; a header that claims more is wrong. */
  readonly atMost: number;
  /** The position of the next byte, for messages. */
  place(): FilePosition;
  /** Fills `target`; rejects with BadFile if the bytes end sooner. `what` names what they belong to. */
  readInto(target: Uint8Array, what: string): Promise<void>;
}

/** The windows of a cursor that leaves nothing out grow from the smallest to the largest. */
const smallestWindow = 1 << 14;
const largestWindow = 1 << 20;
const chunkBytes = 1 << 24;

/**
 * A position in a range of a source, with a window of bytes around it.
 * Text parsers work on `window` from index `at` on and advance `at`; they count the lines they pass in `line`.
 */
export class ByteCursor implements ByteStream {
  readonly source: Source;
  readonly end: number;
  readonly yielder: Yielder;
  window: Uint8Array = new Uint8Array(0);
  at = 0;
  /** 1-based line of the position, or 0 after binary data, where lines mean nothing. */
  line: number;
  #windowStart: number;
  #nextWindow = smallestWindow;

  constructor(source: Source, yielder: Yielder, start = 0, end = source.size, line = 1) {
    this.source = source;
    this.yielder = yielder;
    this.end = end;
    this.line = line;
    this.#windowStart = start;
  }

  get position(): number {
    return this.#windowStart + this.at;
  }

  get atMost(): number {
    return this.end - this.position;
  }

  get atEnd(): boolean {
    return this.position >= this.end;
  }

  /** Whether the window reaches the end of the range. */
  get windowIsLast(): boolean {
    return this.#windowStart + this.window.length >= this.end;
  }

  place(): FilePosition {
    return this.line > 0 ? `line ${this.line}` : `byte ${formatCount(this.position)}`;
  }

  /** Makes `count` bytes (or all that are left) available in `window` from `at` on. */
  async ensure(count: number): Promise<void> {
    if (this.window.length - this.at >= count || this.windowIsLast) return;
    if (this.yielder.isDue()) await this.yielder.yield(this.position / this.source.size);
    const from = this.position;
    this.window = await this.source.read(
      from,
      Math.min(this.end, from + Math.max(count + smallestWindow, this.#nextWindow)),
    );
    this.#nextWindow = Math.min(2 * this.#nextWindow, largestWindow);
    this.#windowStart = from;
    this.at = 0;
  }

  /** Moves to an absolute position, keeping the window if it still covers it. */
  seek(position: number): void {
    const at = position - this.#windowStart;
    if (at >= 0 && at <= this.window.length) this.at = at;
    else {
      this.window = new Uint8Array(0);
      this.#windowStart = position;
      this.#nextWindow = smallestWindow;
      this.at = 0;
    }
  }

  async readInto(target: Uint8Array, what: string): Promise<void> {
    this.requireBytes(target.length, what);
    let filled = 0;
    while (filled < target.length) filled += await this.#readSome(target, filled);
  }

  /**
   * Reads `count` numbers stored in `order` straight into the array returned.
   * Nothing is allocated before the file is known to be long enough.
   */
  async readArray(dtype: DType, count: number, order: ByteOrder, what: string): Promise<TypedArray> {
    const width = bytesPerElement(dtype);
    this.requireBytes(count * width, what);
    const array = allocate(dtype, count, what);
    const bytes = bytesOf(array);
    const swaps = isForeign(order);
    let filled = 0;
    let swapped = 0;
    while (filled < bytes.length) {
      filled += await this.#readSome(bytes, filled);
      if (!swaps) continue;
      const whole = filled - (filled % width);
      swapBytes(bytes.subarray(swapped, whole), width);
      swapped = whole;
    }
    return array;
  }

  requireBytes(count: number, what: string): void {
    if (count > this.atMost) {
      throw tooShort(
        this,
        `${what} needs ${formatCount(count)} bytes from byte ${formatCount(this.position)} on`,
      );
    }
  }

  async #readSome(target: Uint8Array, filled: number): Promise<number> {
    this.line = 0;
    const wanted = Math.min(target.length - filled, chunkBytes);
    const ready = Math.min(this.window.length - this.at, wanted);
    if (ready > 0) {
      target.set(this.window.subarray(this.at, this.at + ready), filled);
      this.at += ready;
      return ready;
    }
    if (this.yielder.isDue()) await this.yielder.yield(this.position / this.source.size);
    if (wanted < largestWindow) {
      await this.ensure(wanted);
      return 0;
    }
    const from = this.position;
    target.set(await this.source.read(from, from + wanted), filled);
    this.seek(from + wanted);
    return wanted;
  }
}
