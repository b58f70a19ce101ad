import { CrinkleError } from "../../core/errors.ts";
import * as wire from "../wire/frame.ts";
import { beginBytes, maxHeadBytes, streamCount } from "../wire/frame.ts";
import type { FrameChannel, ReceiveBuffer } from "./channel.ts";
import { Fifo } from "./fifo.ts";
import type { Link, LinkEnd, LinkLimits, LinkReceiver, Message, Path, Traffic } from "./link.ts";
import { MessageAssembler } from "./message-assembler.ts";

/** Bytes after which the receiver sends an acknowledgement: a quarter of the smallest window. */
const ackIntervalBytes = 2 ** 18;

interface PendingSend {
  message: Message;
  /** The rest of the message is dropped; an abort frame informs the receiver. */
  isAborted: boolean;
  /** Bytes of the body posted so far; −1 before the head. */
  position: number;
  /** Frames whose memory the channel still reads. */
  reading: number;
  resolve(): void;
  reject(error: CrinkleError): void;
}

/**
 * A link over any channel: splits messages into frames, alternates between streams and keeps to the window.
 */
export class FramedLink implements Link {
  readonly path: Path;
  readonly #channel: FrameChannel;
  readonly #limits: LinkLimits;
  readonly #now: () => number;
  readonly #frameBytes: number;
  readonly #queues = Array.from({ length: streamCount }, () => new Fifo<PendingSend>());
  readonly #assembler: MessageAssembler;
  readonly #traffic = { sentBytes: 0, sentMessages: 0, receivedBytes: 0, receivedMessages: 0 };
  #receiver: LinkReceiver | undefined;
  #end: LinkEnd | undefined;
  #lastReceivedAt: number;
  /**
   * Bytes of message frames: posted, acknowledged by the other side, received, and acknowledged by this
   * side.
   */
  #posted = 0;
  #acknowledged = 0;
  #received = 0;
  #acknowledgedReceived = 0;
  #nextStream = 0;
  #isPumping = false;
  #isAcknowledging = false;
  #wake: (() => void) | undefined;

  constructor(channel: FrameChannel, limits: LinkLimits, now: () => number) {
    this.path = channel.path;
    this.#channel = channel;
    this.#limits = limits;
    this.#now = now;
    this.#lastReceivedAt = now();
    this.#frameBytes = Math.min(channel.frameBytes, limits.windowBytes);
    this.#assembler = new MessageAssembler(limits, (message) => this.#receiver?.allocate?.(message));
  }

  get traffic(): Traffic {
    return { ...this.#traffic };
  }

  get lastReceivedAt(): number {
    return this.#lastReceivedAt;
  }

  start(receiver: LinkReceiver): void {
    this.#receiver = receiver;
    if (this.#end) {
      receiver.ended(this.#end);
      return;
    }
    this.#channel.start({
      frame: (bytes) => this.#onFrame(bytes),
      bufferFor: (header, length) => this.#bufferFor(header, length),
      activity: () => {
        this.#lastReceivedAt = this.#now();
      },
      lost: (problem, how) => this.#finish({ cause: how ?? "lost", problem }),
    });
  }

  send(message: Message): Promise<void> {
    const refusal = this.#refusal(message);
    if (refusal) return Promise.reject(refusal);
    return new Promise((resolve, reject) => {
      this.#queues[message.stream].push({
        message,
        isAborted: false,
        position: -1,
        reading: 0,
        resolve,
        reject,
      });
      if (!this.#isPumping) void this.#pump();
    });
  }

  drop(isUnwanted: (head: Uint8Array) => boolean): void {
    this.#assembler.drop(isUnwanted);
    for (const queue of this.#queues) {
      for (const sending of queue.drain()) {
        const { message, position } = sending;
        if (!isUnwanted(message.head)) queue.push(sending);
        else if (position < 0) sending.resolve();
        else {
          sending.isAborted = true;
          sending.message = { ...message, body: nothing };
          queue.push(sending);
        }
      }
    }
  }

  close(reason: string): void {
    if (this.#end) return;
    this.#channel.post(wire.encodeGoodbye(reason), nothing);
    this.#channel.close();
    this.#finish({ cause: "closed", problem: reason });
  }

  #refusal({ stream, head, body }: Message): CrinkleError | undefined {
    if (this.#end) return linkClosed(this.#end);
    const bad = (problem: string) => new CrinkleError({ tag: "BadArgument", problem });
    if (!Number.isInteger(stream) || stream < 0 || stream >= streamCount) {
      return bad(`There is no stream ${stream}: streams are numbered from 0 to ${streamCount - 1}.`);
    }
    if (head.length > maxHeadBytes) {
      return bad(`A head of ${head.length} bytes is too long: the maximum is ${maxHeadBytes}.`);
    }
    if (body.length > this.#limits.messageBytes) {
      return bad(
        `A message of ${body.length} bytes is too long: the maximum is ${this.#limits.messageBytes}.`,
      );
    }
    return undefined;
  }

  async #pump(): Promise<void> {
    this.#isPumping = true;
    for (let next = this.#next(); next && !this.#end; next = this.#next()) {
      const room = this.#channel.writable();
      if (room) await room;
      else if (this.#posted - this.#acknowledged >= this.#limits.windowBytes) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      } else this.#postPart(next);
    }
    this.#isPumping = false;
  }

  /** Stream 0 goes first; the others alternate frame by frame. */
  #next(): PendingSend | undefined {
    if (this.#queues[0].length > 0) return this.#queues[0].first;
    for (let k = 0; k < streamCount; k++) {
      const stream = (this.#nextStream + k) % streamCount;
      if (this.#queues[stream].length === 0) continue;
      return this.#queues[stream].first;
    }
    return undefined;
  }

  #postPart(sending: PendingSend): void {
    if (sending.isAborted) {
      this.#postAbort(sending);
      return;
    }
    const { stream, head, body } = sending.message;
    const begins = sending.position < 0;
    const from = Math.max(sending.position, 0);
    const lead = begins ? beginBytes(head.length) : wire.headerBytes;
    const part = body.subarray(from, from + this.#frameBytes - lead);
    const header = begins
      ? wire.encodeBegin(stream, head, body.length)
      : wire.encodeContinuation(stream, from);
    sending.position = from + part.length;
    this.#nextStream = stream + 1;
    this.#posted += lead + part.length;
    this.#traffic.sentBytes += lead + part.length;
    const reading = this.#channel.post(header, part);
    const settle = () => {
      if (sending.position >= sending.message.body.length && sending.reading === 0) sending.resolve();
    };
    if (reading) {
      sending.reading++;
      const read = () => {
        sending.reading--;
        settle();
      };
      reading.then(read, () => sending.reject(linkClosed(this.#end)));
    }
    if (sending.position < body.length) return;
    this.#queues[stream].shift();
    this.#traffic.sentMessages++;
    settle();
  }

  #postAbort({ message: { stream }, reading, resolve }: PendingSend): void {
    this.#nextStream = stream + 1;
    this.#posted += wire.headerBytes;
    this.#traffic.sentBytes += wire.headerBytes;
    this.#channel.post(wire.encodeAbort(stream), nothing);
    this.#queues[stream].shift();
    if (reading === 0) resolve();
  }

  #onFrame(bytes: Uint8Array): void {
    if (this.#end) return;
    this.#lastReceivedAt = this.#now();
    this.#traffic.receivedBytes += bytes.length;
    try {
      const frame = wire.decodeFrame(bytes);
      if (frame.kind === "ack") this.#onAck(frame.bytes);
      else if (frame.kind === "goodbye") {
        this.#channel.close();
        this.#finish({ cause: "goodbye", problem: frame.reason });
      } else if (frame.kind === "abort") {
        this.#assembler.abort(frame.stream);
        this.#onPayload(bytes.length, undefined);
      } else {
        this.#onPayload(bytes.length, this.#assembler.add(frame));
      }
    } catch (error) {
      if (!(error instanceof CrinkleError && error.tag === "BadMessage")) throw error;
      this.#channel.post(wire.encodeGoodbye(error.message), nothing);
      this.#channel.close();
      this.#finish({ cause: "expelled", problem: error.message });
    }
  }

  /**
   * Receives part of a message in place. Anything unexpected goes through the normal path, which rejects
   * it.
   */
  #bufferFor(header: Uint8Array, length: number): ReceiveBuffer | undefined {
    const more = this.#end ? undefined : wire.decodeContinuation(header);
    const into = more && this.#assembler.bufferFor(more.stream, more.position, length);
    if (!into) return undefined;
    const done = () => {
      if (this.#end) return;
      this.#lastReceivedAt = this.#now();
      this.#traffic.receivedBytes += header.length + length;
      this.#onPayload(header.length + length, this.#assembler.fill(more.stream, length));
    };
    return { into, done };
  }

  /** Handles a received message frame and the message that it completes, if any. */
  #onPayload(bytes: number, message: Message | undefined): void {
    this.#received += bytes;
    if (this.#received - this.#acknowledgedReceived >= ackIntervalBytes && !this.#isAcknowledging)
      void this.#acknowledge();
    if (!message) return;
    this.#traffic.receivedMessages++;
    this.#receiver?.message(message);
  }

  /**
   * Acknowledges received bytes once the channel is writable: a slow reader gets one acknowledgement for
   * all, not a queue.
   */
  async #acknowledge(): Promise<void> {
    this.#isAcknowledging = true;
    for (let room = this.#channel.writable(); room; room = this.#channel.writable()) await room;
    this.#isAcknowledging = false;
    if (this.#end) return;
    this.#acknowledgedReceived = this.#received;
    this.#channel.post(wire.encodeAck(this.#received), nothing);
  }

  #onAck(bytes: number): void {
    if (bytes < this.#acknowledged || bytes > this.#posted) {
      throw wire.badMessage(`${bytes} bytes acknowledged, but only ${this.#posted} were sent`);
    }
    this.#acknowledged = bytes;
    this.#wake?.();
    this.#wake = undefined;
  }

  #finish(end: LinkEnd): void {
    if (this.#end) return;
    this.#end = end;
    this.#assembler.clear();
    const error = linkClosed(end);
    for (const queue of this.#queues) for (const { reject } of queue.drain()) reject(error);
    this.#wake?.();
    this.#receiver?.ended(end);
  }
}

const nothing = new Uint8Array(0);

function linkClosed(end: LinkEnd | undefined): CrinkleError {
  return new CrinkleError({
    tag: "LinkClosed",
    problem: `The link to another rank has ended${end?.problem ? `: ${end.problem}` : "."}`,
  });
}
