import { CrinkleError } from "../../core/errors.ts";
import * as wire from "../wire/frame.ts";
import { beginBytes, mostHeadBytes, streamCount } from "../wire/frame.ts";
import { Assembly } from "./assembly.ts";
import type { FrameChannel, Place } from "./channel.ts";
import { Fifo } from "./fifo.ts";
import type { Link, LinkEnd, LinkLimits, LinkReceiver, Message, Path, Traffic } from "./link.ts";

/** Bytes after which the receiver tells what it has taken: a quarter of the smallest window. */
const acknowledgeEvery = 2 ** 18;

interface Sending {
  message: Message;
  /** The rest of it is not wanted any more: it is to be cut off. */
  isCut: boolean;
  /** Bytes of the body that were posted; −1 before the head was. */
  position: number;
  /** Frames whose bytes the channel still reads. */
  reading: number;
  resolve(): void;
  reject(error: CrinkleError): void;
}

/** A link over any channel: cuts messages into frames, takes turns between streams, keeps to the window. */
export class FramedLink implements Link {
  readonly path: Path;
  readonly #channel: FrameChannel;
  readonly #limits: LinkLimits;
  readonly #now: () => number;
  readonly #frameBytes: number;
  readonly #queues = Array.from({ length: streamCount }, () => new Fifo<Sending>());
  readonly #assembly: Assembly;
  readonly #traffic = { sentBytes: 0, sentMessages: 0, receivedBytes: 0, receivedMessages: 0 };
  #receiver: LinkReceiver | undefined;
  #end: LinkEnd | undefined;
  #heardAt: number;
  /** Bytes of messages' frames: posted, taken by the other side, come in, and told to have come in. */
  #posted = 0;
  #taken = 0;
  #came = 0;
  #told = 0;
  #turn = 0;
  #isPumping = false;
  #isTelling = false;
  #wake: (() => void) | undefined;

  constructor(channel: FrameChannel, limits: LinkLimits, now: () => number) {
    this.path = channel.path;
    this.#channel = channel;
    this.#limits = limits;
    this.#now = now;
    this.#heardAt = now();
    this.#frameBytes = Math.min(channel.frameBytes, limits.windowBytes);
    this.#assembly = new Assembly(limits, (message) => this.#receiver?.memory?.(message));
  }

  get traffic(): Traffic {
    return { ...this.#traffic };
  }

  get heardAt(): number {
    return this.#heardAt;
  }

  start(receiver: LinkReceiver): void {
    this.#receiver = receiver;
    if (this.#end) {
      receiver.ended(this.#end);
      return;
    }
    this.#channel.start({
      frame: (bytes) => this.#take(bytes),
      place: (header, length) => this.#place(header, length),
      heard: () => {
        this.#heardAt = this.#now();
      },
      lost: (problem, how) => this.#finish({ how: how ?? "lost", problem }),
    });
  }

  send(message: Message): Promise<void> {
    const refusal = this.#refusal(message);
    if (refusal) return Promise.reject(refusal);
    return new Promise((resolve, reject) => {
      this.#queues[message.stream].push({ message, isCut: false, position: -1, reading: 0, resolve, reject });
      if (!this.#isPumping) void this.#pump();
    });
  }

  drop(isUnwanted: (head: Uint8Array) => boolean): void {
    this.#assembly.drop(isUnwanted);
    for (const queue of this.#queues) {
      for (const sending of queue.drain()) {
        const { message, position } = sending;
        if (!isUnwanted(message.head)) queue.push(sending);
        else if (position < 0) sending.resolve();
        else {
          sending.isCut = true;
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
    this.#finish({ how: "closed", problem: reason });
  }

  #refusal({ stream, head, body }: Message): CrinkleError | undefined {
    if (this.#end) return linkClosed(this.#end);
    const bad = (problem: string) => new CrinkleError({ tag: "BadArgument", problem });
    if (!Number.isInteger(stream) || stream < 0 || stream >= streamCount) {
      return bad(`There is no stream ${stream}: streams are numbered from 0 to ${streamCount - 1}.`);
    }
    if (head.length > mostHeadBytes) {
      return bad(`A head of ${head.length} bytes is too long: ${mostHeadBytes} are the most.`);
    }
    if (body.length > this.#limits.messageBytes) {
      return bad(`A message of ${body.length} bytes is too long: ${this.#limits.messageBytes} are the most.`);
    }
    return undefined;
  }

  async #pump(): Promise<void> {
    this.#isPumping = true;
    for (let next = this.#next(); next && !this.#end; next = this.#next()) {
      const room = this.#channel.room();
      if (room) await room;
      else if (this.#posted - this.#taken >= this.#limits.windowBytes) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
      } else this.#postPart(next);
    }
    this.#isPumping = false;
  }

  /** Stream 0 goes first; the others take turns, a frame each. */
  #next(): Sending | undefined {
    if (this.#queues[0].length > 0) return this.#queues[0].first;
    for (let k = 0; k < streamCount; k++) {
      const stream = (this.#turn + k) % streamCount;
      if (this.#queues[stream].length === 0) continue;
      return this.#queues[stream].first;
    }
    return undefined;
  }

  #postPart(sending: Sending): void {
    if (sending.isCut) {
      this.#postCut(sending);
      return;
    }
    const { stream, head, body } = sending.message;
    const begins = sending.position < 0;
    const from = Math.max(sending.position, 0);
    const lead = begins ? beginBytes(head.length) : wire.headerBytes;
    const part = body.subarray(from, from + this.#frameBytes - lead);
    const header = begins ? wire.encodeBegin(stream, head, body.length) : wire.encodeMore(stream, from);
    sending.position = from + part.length;
    this.#turn = stream + 1;
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

  #postCut({ message: { stream }, reading, resolve }: Sending): void {
    this.#turn = stream + 1;
    this.#posted += wire.headerBytes;
    this.#traffic.sentBytes += wire.headerBytes;
    this.#channel.post(wire.encodeCut(stream), nothing);
    this.#queues[stream].shift();
    if (reading === 0) resolve();
  }

  #take(bytes: Uint8Array): void {
    if (this.#end) return;
    this.#heardAt = this.#now();
    this.#traffic.receivedBytes += bytes.length;
    try {
      const frame = wire.decodeFrame(bytes);
      if (frame.kind === "received") this.#acknowledged(frame.bytes);
      else if (frame.kind === "goodbye") {
        this.#channel.close();
        this.#finish({ how: "goodbye", problem: frame.reason });
      } else if (frame.kind === "cut") {
        this.#assembly.cut(frame.stream);
        this.#arrived(bytes.length, undefined);
      } else {
        this.#arrived(bytes.length, this.#assembly.add(frame));
      }
    } catch (error) {
      if (!(error instanceof CrinkleError && error.tag === "BadMessage")) throw error;
      this.#channel.post(wire.encodeGoodbye(error.message), nothing);
      this.#channel.close();
      this.#finish({ how: "expelled", problem: error.message });
    }
  }

  /** A part of a message is received where it belongs. What does not belong goes the usual way, and is refused there. */
  #place(header: Uint8Array, length: number): Place | undefined {
    const more = this.#end ? undefined : wire.decodeMore(header);
    const into = more && this.#assembly.place(more.stream, more.position, length);
    if (!into) return undefined;
    const done = () => {
      if (this.#end) return;
      this.#heardAt = this.#now();
      this.#traffic.receivedBytes += header.length + length;
      this.#arrived(header.length + length, this.#assembly.fill(more.stream, length));
    };
    return { into, done };
  }

  /** A message's frame of as many bytes, and the message that it completes. */
  #arrived(bytes: number, message: Message | undefined): void {
    this.#came += bytes;
    if (this.#came - this.#told >= acknowledgeEvery && !this.#isTelling) void this.#tell();
    if (!message) return;
    this.#traffic.receivedMessages++;
    this.#receiver?.message(message);
  }

  /** Acknowledges what came, once there is room: who does not read gets one acknowledgement for all, not a queue. */
  async #tell(): Promise<void> {
    this.#isTelling = true;
    for (let room = this.#channel.room(); room; room = this.#channel.room()) await room;
    this.#isTelling = false;
    if (this.#end) return;
    this.#told = this.#came;
    this.#channel.post(wire.encodeReceived(this.#came), nothing);
  }

  #acknowledged(bytes: number): void {
    if (bytes < this.#taken || bytes > this.#posted) {
      throw wire.malformed(`acknowledges ${bytes} bytes, where ${this.#posted} were sent`);
    }
    this.#taken = bytes;
    this.#wake?.();
    this.#wake = undefined;
  }

  #finish(end: LinkEnd): void {
    if (this.#end) return;
    this.#end = end;
    this.#assembly.clear();
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
