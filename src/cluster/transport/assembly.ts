import { type Frame, malformed } from "../wire/frame.ts";
import type { Announced, LinkLimits, Message } from "./link.ts";

type Part = Extract<Frame, { kind: "begin" | "more" }>;

/** Messages of which some frames have come. Together they take no more memory than the longest message may. */
export class Assembly {
  readonly #limits: LinkLimits;
  readonly #memory: (message: Announced) => Uint8Array | undefined;
  readonly #messages = new Map<number, { readonly message: Message; filled: number }>();
  #bytes = 0;

  /** `memory`: where a body is wanted, if anywhere. */
  constructor(limits: LinkLimits, memory: (message: Announced) => Uint8Array | undefined) {
    this.#limits = limits;
    this.#memory = memory;
  }

  /** The message that the frame completes. Throws BadMessage where a frame does not belong, or there would be too much. */
  add(frame: Part): Message | undefined {
    const { stream, part } = frame;
    if (frame.kind === "begin") {
      if (this.#messages.has(stream)) throw malformed(`begins a message within another on stream ${stream}`);
      const { bodyBytes } = frame;
      const most = this.#limits.messageBytes - this.#bytes;
      if (bodyBytes > most) {
        throw malformed(`announces ${bodyBytes} bytes, where ${most} are allowed`);
      }
      if (part.length === bodyBytes) return { stream, head: frame.head, body: part };
      const head = frame.head.slice();
      const body = this.#memory({ stream, head, bodyBytes }) ?? new Uint8Array(bodyBytes);
      body.set(part);
      this.#bytes += bodyBytes;
      this.#messages.set(stream, { message: { stream, head, body }, filled: part.length });
      return undefined;
    }
    const into = this.place(stream, frame.position, part.length);
    if (!into)
      throw malformed(`brings bytes from ${frame.position} on, which nobody awaits on stream ${stream}`);
    into.set(part);
    return this.fill(stream, part.length);
  }

  /** Where the next bytes of a message belong; undefined where others are due, or none. */
  place(stream: number, position: number, length: number): Uint8Array | undefined {
    const begun = this.#messages.get(stream);
    if (!begun || position !== begun.filled || position + length > begun.message.body.length)
      return undefined;
    return begun.message.body.subarray(position, position + length);
  }

  /** As many bytes are in their place; the message that they complete. */
  fill(stream: number, length: number): Message | undefined {
    const begun = this.#messages.get(stream);
    if (!begun) return undefined;
    begun.filled += length;
    const { message } = begun;
    if (begun.filled < message.body.length) return undefined;
    this.#messages.delete(stream);
    this.#bytes -= message.body.length;
    return message;
  }

  clear(): void {
    this.#messages.clear();
    this.#bytes = 0;
  }
}
