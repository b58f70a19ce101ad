import { badMessage, type Frame } from "../wire/frame.ts";
import type { LinkLimits, Message, MessageHeader } from "./link.ts";

type Part = Extract<Frame, { kind: "begin" | "continuation" }>;

interface PartialMessage {
  readonly head: Uint8Array;
  readonly bodyBytes: number;
  /** Undefined if nobody wants the message: its bytes are counted and dropped. */
  body: Uint8Array | undefined;
  filled: number;
}

/** Partly received messages. Together they take no more memory than the longest allowed message. */
export class MessageAssembler {
  readonly #limits: LinkLimits;
  readonly #allocate: (message: MessageHeader) => Uint8Array | null | undefined;
  readonly #partials = new Map<number, PartialMessage>();
  #bytes = 0;

  /** `memory`: see `allocate` of LinkReceiver. */
  constructor(limits: LinkLimits, memory: (message: MessageHeader) => Uint8Array | null | undefined) {
    this.#limits = limits;
    this.#allocate = memory;
  }

  /**
   * Returns the message that the frame completes. Throws BadMessage if the frame is out of place or exceeds
   * the limit.
   */
  add(frame: Part): Message | undefined {
    const { stream, part } = frame;
    if (frame.kind === "begin") {
      if (this.#partials.has(stream))
        throw badMessage(`a message begins within another one on stream ${stream}`);
      const { bodyBytes } = frame;
      const most = this.#limits.messageBytes - this.#bytes;
      if (bodyBytes > most) {
        throw badMessage(`a message of ${bodyBytes} bytes; the limit is ${most}`);
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
    if (!begun) throw badMessage(`unexpected bytes at position ${frame.position} on stream ${stream}`);
    begun.body?.set(part, frame.position);
    return this.fill(stream, part.length);
  }

  /** Drops a message that its sender aborted. Throws BadMessage if there is none. */
  abort(stream: number): void {
    const begun = this.#partials.get(stream);
    if (!begun) throw badMessage(`an abort without a message on stream ${stream}`);
    this.#release(begun);
    this.#partials.delete(stream);
  }

  /** Releases partly received messages with matching heads; the rest of them is discarded on arrival. */
  drop(isUnwanted: (head: Uint8Array) => boolean): void {
    for (const begun of this.#partials.values()) if (isUnwanted(begun.head)) this.#release(begun);
  }

  /**
   * The memory for the next bytes of a message; undefined if other bytes are expected, or none, or nobody
   * wants them.
   */
  bufferFor(stream: number, position: number, length: number): Uint8Array | undefined {
    return this.#expected(stream, position, length)?.body?.subarray(position, position + length);
  }

  /** Counts bytes received in place, and returns the message that they complete. */
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
