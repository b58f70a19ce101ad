import { headerBytes } from "../../wire/frame.ts";
import type { ChannelReceiver, ReceiveBuffer } from "../channel.ts";

export const prefixBytes = 4;

/** Splits a byte stream into frames; each is preceded by its length, 4 bytes little endian. */
export class FrameReader {
  readonly #maxBytes: number;
  readonly #receiver: Pick<ChannelReceiver, "frame" | "bufferFor">;
  /** The length prefix and first bytes of a frame, until its memory is chosen. */
  readonly #lead = new Uint8Array(prefixBytes + headerBytes);
  #leadBytes = 0;
  #into: Uint8Array | undefined;
  #filled = 0;
  #place: ReceiveBuffer | undefined;

  constructor(maxBytes: number, receiver: Pick<ChannelReceiver, "frame" | "bufferFor">) {
    this.#maxBytes = maxBytes;
    this.#receiver = receiver;
  }

  /**
   * Delivers each frame that the chunk completes, in new memory or in place, as long as `isOpen` holds.
   * Returns what is wrong with a frame's length, before allocating memory; nothing may be read after that.
   */
  read(chunk: Uint8Array, isOpen: () => boolean): string | undefined {
    for (let at = 0; at < chunk.length && isOpen(); ) {
      const into = this.#into;
      if (into) {
        const count = Math.min(chunk.length - at, into.length - this.#filled);
        into.set(count === chunk.length ? chunk : chunk.subarray(at, at + count), this.#filled);
        at += count;
        this.#filled += count;
        if (this.#filled === into.length) this.#finish(into);
        continue;
      }
      this.#lead[this.#leadBytes++] = chunk[at++];
      if (this.#leadBytes < prefixBytes) continue;
      const [a, b, c, d] = this.#lead;
      const length = a + b * 2 ** 8 + c * 2 ** 16 + d * 2 ** 24;
      if (length === 0 || length > this.#maxBytes) {
        return `announced a frame of ${length} bytes, but 1 to ${this.#maxBytes} are allowed`;
      }
      if (this.#leadBytes === prefixBytes + Math.min(length, headerBytes)) this.#begin(length);
    }
    return undefined;
  }

  #begin(length: number): void {
    const lead = this.#lead.subarray(prefixBytes, this.#leadBytes);
    this.#leadBytes = 0;
    if (length > headerBytes) this.#place = this.#receiver.bufferFor?.(lead, length - headerBytes);
    this.#filled = this.#place ? 0 : lead.length;
    this.#into = this.#place?.into ?? Buffer.allocUnsafeSlow(length);
    if (!this.#place) this.#into.set(lead);
    if (this.#filled === length) this.#finish(this.#into);
  }

  #finish(into: Uint8Array): void {
    const place = this.#place;
    this.#into = undefined;
    this.#place = undefined;
    if (place) place.done();
    else this.#receiver.frame(new Uint8Array(into.buffer));
  }
}
