/** Cuts a stream of bytes into the frames that were written to it: each has its length before it, 4 bytes little endian. */
export class FrameReader {
  readonly #mostBytes: number;
  #length = 0;
  #lengthBytes = 0;
  #frame: Uint8Array | undefined;
  #filled = 0;

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /**
   * Hands over each frame that the chunk completes, in memory of its own, until `frame` returns false. Returns what is
   * wrong with the length of a frame, before memory is taken for it; nothing may be read after that.
   */
  read(chunk: Uint8Array, frame: (bytes: Uint8Array) => boolean): string | undefined {
    let at = 0;
    while (at < chunk.length) {
      if (!this.#frame) {
        this.#length += chunk[at++] * 2 ** (8 * this.#lengthBytes);
        if (++this.#lengthBytes < prefixBytes) continue;
        if (this.#length === 0 || this.#length > this.#mostBytes) {
          return `announces a frame of ${this.#length} bytes, where 1 to ${this.#mostBytes} are allowed`;
        }
        this.#frame = Buffer.allocUnsafeSlow(this.#length);
      }
      const into = this.#frame;
      const count = Math.min(chunk.length - at, into.length - this.#filled);
      into.set(count === chunk.length ? chunk : chunk.subarray(at, at + count), this.#filled);
      at += count;
      this.#filled += count;
      if (this.#filled < into.length) continue;
      this.#frame = undefined;
      this.#filled = this.#length = this.#lengthBytes = 0;
      if (!frame(new Uint8Array(into.buffer))) return undefined;
    }
    return undefined;
  }
}

export const prefixBytes = 4;
