/** Numbers of 0 to 32 bits one behind the other, the lowest bit first, in words that grow with them. */
export class BitWriter {
  #words = new Uint32Array(1024);
  #count = 0;
  #current = 0;
  /** Bits of the current word, less than 32. */
  #bits = 0;

  /** Forgets what was written; the words stay. */
  restart(): void {
    this.#count = this.#current = this.#bits = 0;
  }

  /** Makes room for so many more words. */
  reserve(words: number): void {
    if (this.#count + words < this.#words.length) return;
    const former = this.#words;
    this.#words = new Uint32Array(2 * (this.#count + words));
    this.#words.set(former);
  }

  /** `value` has no bits beyond `width`; there is room for it. */
  write(value: number, width: number): void {
    const bits = this.#bits + width;
    this.#current |= value << this.#bits;
    if (bits < 32) {
      this.#bits = bits;
      return;
    }
    this.#words[this.#count++] = this.#current;
    // A shift by 32 would be one by 0.
    this.#current = this.#bits === 0 ? 0 : value >>> (32 - this.#bits);
    this.#bits = bits - 32;
  }

  /** What was written, with zeros up to the end of the last word; until `restart` or the next number. */
  finish(): Uint32Array {
    this.#words[this.#count] = this.#current;
    return this.#words.subarray(0, this.#bits > 0 ? this.#count + 1 : this.#count);
  }
}

/** Reads what a `BitWriter` has written; zeros beyond its end. */
export class BitReader {
  readonly #words: Uint32Array;
  #at = 0;
  #bits = 0;

  constructor(words: Uint32Array) {
    this.#words = words;
  }

  /** Whether exactly all words have been begun, and none beyond them. */
  get isAtEnd(): boolean {
    return this.#at + (this.#bits > 0 ? 1 : 0) === this.#words.length;
  }

  /** Of 0 to 32 bits. */
  read(width: number): number {
    if (width === 0) return 0;
    const free = 32 - this.#bits;
    let value = this.#words[this.#at] >>> this.#bits;
    if (width >= free) {
      this.#at++;
      if (width > free) value |= this.#words[this.#at] << free;
      this.#bits = width - free;
    } else this.#bits += width;
    return width === 32 ? value >>> 0 : value & ((1 << width) - 1);
  }
}
