import { badMessage, type Frame } from "../wire/frame.ts";
import type { LinkLimits, Message, MessageHeader } from "./link.ts";

type Part = Extract<Frame, { kind: "begin" | "continuation" }>;

interface PartialMessage {
  readonly head: Uint8Array;
  readonly bodyBytes: number;
  /** None where nobody wants it: its bytes are counted, and dropped. */
  body: Uint8Array | undefined;
  filled: number;
}

/** Messages of which some frames have come. Together they take no more memory than the longest message may. */
export class MessageAssembler {
  readonly #limits: LinkLimits;
  readonly #allocate: (message: MessageHeader) => Uint8Array | null | undefined;
  readonly #partials = new Map<number, PartialMessage>();
  #bytes = 0;

  /** `memory`: see LinkReceiver. */
  constructor(limits: LinkLimits, memory: (message: MessageHeader) => Uint8Array | null | undefined) {
    this.#limits = limits;
    this.#allocate = memory;
  }

  /** The message that the frame completes. Throws BadMessage where a frame does not belong, or there would be too much. */
  add(frame: Part): Message | undefined {
    const { stream, part } = frame;
    if (frame.kind === "begin") {
      if (this.#partials.has(stream)) throw badMessage(`begins a message within another on stream ${stream}`);
      const { bodyBytes } = frame;
      const most = this.#limits.messageBytes - this.#bytes;
      if (bodyBytes > most) {
        throw badMessage(`announces ${bodyBytes} bytes, where ${most} are allowed`);
      }
      if (part.length === bodyBytes) return { stream, head: frame.head, body: part };
      const head = frame.head.slice();
      const memory = this.#allocate({ stream, head, bodyBytes });
      const body = memory === null ? undefined : (memory ?? new Uint8Array(bodyBytes));
      body?.set(part);
      this.#bytes += body?.length ?? 0;
      this.#partials.set(stream, { head, bodyBytes, body, filled: part.length });
      return undefined;
    }
    const begun = this.#expected(stream, frame.position, part.length);
    if (!begun)
      throw badMessage(`brings bytes from ${frame.position} on, which nobody awaits on stream ${stream}`);
    begun.body?.set(part, frame.position);
    return this.fill(stream, part.length);
  }

  /** The rest of a message does not come. Throws BadMessage where there is none. */
  abort(stream: number): void {
    const begun = this.#partials.get(stream);
    if (!begun) throw badMessage(`cuts off a message that was not begun on stream ${stream}`);
    this.#release(begun);
    this.#partials.delete(stream);
  }

  /** Lets go of what has come of messages with such heads, and of what comes. */
  drop(isUnwanted: (head: Uint8Array) => boolean): void {
    for (const begun of this.#partials.values()) if (isUnwanted(begun.head)) this.#release(begun);
  }

  /** Where the next bytes of a message belong; undefined where others are due, or none, or nobody wants them. */
  bufferFor(stream: number, position: number, length: number): Uint8Array | undefined {
    return this.#expected(stream, position, length)?.body?.subarray(position, position + length);
  }

  /** As many bytes are in their place; the message that they complete. */
  fill(stream: number, length: number): Message | undefined {
    const begun = this.#partials.get(stream);
    if (!begun) return undefined;
    begun.filled += length;
    const { head, body, bodyBytes } = begun;
    if (begun.filled < bodyBytes) return undefined;
    this.#partials.delete(stream);
    this.#release(begun);
    return body && { stream, head, body };
  }

  clear(): void {
    this.#partials.clear();
    this.#bytes = 0;
  }

  #expected(stream: number, position: number, length: number): PartialMessage | undefined {
    const begun = this.#partials.get(stream);
    return begun && position === begun.filled && position + length <= begun.bodyBytes ? begun : undefined;
  }

  #release(begun: PartialMessage): void {
    this.#bytes -= begun.body?.length ?? 0;
    begun.body = undefined;
  }
}
