import type { Link, LinkReceiver, Message, MessageHeader, Traffic } from "../../cluster/transport/link.ts";
import { CrinkleError } from "../../core/errors.ts";
import type { Handle } from "./abi.ts";
import type { MpiLibrary } from "./library.ts";
import type { Requests } from "./requests.ts";

/** Tags of MPI's messages. A body that its packet does not hold follows it, in order of the packets. */
const [packetTag, bodyTag] = [0, 1];

/**
 * A packet: the sender's rank (u32), the head's length (u16), the stream (u8), 1 if it holds the body (u8), and the
 * body's length (f64); then the head, padded to a multiple of 8, and the body.
 */
const headerBytes = 16;
const maxHeadBytes = 4096;
const maxInlineBytes = 2 ** 14;
const packetBytes = headerBytes + maxHeadBytes + maxInlineBytes;
const padded = (bytes: number) => Math.ceil(bytes / 8) * 8;

/** Longer bodies are sent in several parts, because MPI's lengths are ints. */
const maxPartBytes = 2 ** 30;

/** A message whose body has not arrived yet, or is waiting for those before it. */
interface Delivery {
  readonly message: Message;
  readonly isWanted: boolean;
  isHere: boolean;
}

/** Messages to and from all other ranks of an MPI communicator, which nothing else may use. */
export class MpiLinks {
  /** By rank; the rank itself has none. */
  readonly links: readonly (MpiLink | undefined)[];
  readonly #library: MpiLibrary;
  readonly #requests: Requests;
  readonly #communicator: Handle;
  readonly #rank: number;
  readonly #incoming = new Uint8Array(packetBytes);
  /** Packets that can be used again. */
  readonly #packets: Uint8Array[] = [];
  #receive: Handle = 0;
  #isClosed = false;

  constructor(library: MpiLibrary, requests: Requests, communicator: Handle) {
    this.#library = library;
    this.#requests = requests;
    this.#communicator = communicator;
    this.#rank = library.rankIn(communicator);
    this.links = Array.from({ length: library.sizeOf(communicator) }, (_, to) =>
      to === this.#rank ? undefined : new MpiLink(this, to),
    );
    this.#receiveNext();
  }

  /** Resolves when the body may be changed again. */
  send(to: number, { stream, head, body }: Message): Promise<void> {
    const start = headerBytes + padded(head.length);
    const isInline = body.length <= maxInlineBytes;
    const packet = this.#packets.pop() ?? new Uint8Array(packetBytes);
    const view = new DataView(packet.buffer);
    view.setUint32(0, this.#rank, true);
    view.setUint16(4, head.length, true);
    packet[6] = stream;
    packet[7] = isInline ? 1 : 0;
    view.setFloat64(8, body.length, true);
    packet.set(head, headerBytes);
    if (isInline) packet.set(body, start);
    this.#send(to, packetTag, packet, isInline ? start + body.length : start, (error) => {
      if (error) throw error;
      this.#packets.push(packet);
    });
    return isInline
      ? Promise.resolve()
      : this.#transfer(body, (part, done) => this.#send(to, bodyTag, part, part.length, done));
  }

  /** Receives no more. */
  close(): void {
    this.#isClosed = true;
    const request = this.#library.abi.newHandles(1);
    request[0] = this.#receive as never;
    this.#library.check(this.#library.call.Cancel(request), "MPI_Cancel");
  }

  #send(to: number, tag: number, bytes: Uint8Array, length: number, done: (error?: Error) => void): void {
    const { call, abi } = this.#library;
    const issue = (request: Parameters<typeof call.Isend>[6]) =>
      call.Isend(bytes, length, abi.byte, to, tag, this.#communicator, request);
    this.#requests.start("MPI_Isend", issue, bytes, done);
  }

  /** Sends or receives a body in parts. */
  #transfer(
    body: Uint8Array,
    start: (part: Uint8Array, done: (error?: Error) => void) => void,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      let left = 0;
      const done = (error?: Error) => {
        if (error) reject(error);
        else if (--left === 0) resolve();
      };
      for (let at = 0; at < body.length; at += maxPartBytes) {
        left++;
        start(body.subarray(at, at + maxPartBytes), done);
      }
    });
  }

  #receiveNext(): void {
    const { call, abi } = this.#library;
    this.#receive = this.#requests.listen(
      "MPI_Irecv",
      (request) =>
        call.Irecv(
          this.#incoming,
          packetBytes,
          abi.byte,
          abi.anySource,
          packetTag,
          this.#communicator,
          request,
        ),
      this.#incoming,
      (error) => {
        if (this.#isClosed) return;
        if (error) throw error;
        this.#onPacket();
        this.#receiveNext();
      },
    );
  }

  #onPacket(): void {
    const packet = this.#incoming;
    const view = new DataView(packet.buffer);
    const from = view.getUint32(0, true);
    const headBytes = view.getUint16(4, true);
    const bodyBytes = view.getFloat64(8, true);
    const start = headerBytes + padded(headBytes);
    const header = {
      stream: packet[6],
      head: packet.slice(headerBytes, headerBytes + headBytes),
      bodyBytes,
    };
    const link = this.links[from] as MpiLink;
    if (packet[7] === 1) link.deliver(header, packet.slice(start, start + bodyBytes));
    else {
      link.expect(header, (body) => {
        const { call, abi } = this.#library;
        return this.#transfer(body, (part, done) => {
          this.#requests.start(
            "MPI_Irecv",
            (request) => call.Irecv(part, part.length, abi.byte, from, bodyTag, this.#communicator, request),
            part,
            done,
          );
        });
      });
    }
  }
}

/** A link to one rank. It ends with the process: MPI ends the job when a rank is lost. */
class MpiLink implements Link {
  readonly path = "mpi";
  readonly #links: MpiLinks;
  readonly #to: number;
  readonly #traffic = { sentBytes: 0, sentMessages: 0, receivedBytes: 0, receivedMessages: 0 };
  /** By stream: messages that have not been delivered, in order. */
  readonly #queues = new Map<number, Delivery[]>();
  #receiver: LinkReceiver | undefined;
  #lastReceivedAt = performance.now();
  #closed: string | undefined;

  constructor(links: MpiLinks, to: number) {
    this.#links = links;
    this.#to = to;
  }

  get traffic(): Traffic {
    return this.#traffic;
  }

  get lastReceivedAt(): number {
    return this.#lastReceivedAt;
  }

  start(receiver: LinkReceiver): void {
    this.#receiver = receiver;
    for (const queue of this.#queues.values()) this.#flush(queue);
  }

  send(message: Message): Promise<void> {
    if (this.#closed !== undefined) return Promise.reject(linkClosed(this.#closed));
    this.#traffic.sentMessages++;
    this.#traffic.sentBytes += message.head.length + message.body.length;
    return this.#links.send(this.#to, message);
  }

  /** Nothing is queued on this side: MPI has it all. */
  drop(): void {}

  close(reason: string): void {
    this.#closed ??= reason;
  }

  /** A message has arrived. */
  deliver({ stream, head }: MessageHeader, body: Uint8Array): void {
    this.#queue({ message: { stream, head, body }, isWanted: true, isHere: true });
  }

  /** A message whose body `receive` gets is on its way. */
  expect(header: MessageHeader, receive: (body: Uint8Array) => Promise<void>): void {
    const memory = this.#receiver?.allocate?.(header);
    const body = memory ?? new Uint8Array(header.bodyBytes);
    const { stream, head } = header;
    const delivery = { message: { stream, head, body }, isWanted: memory !== null, isHere: false };
    const queue = this.#queue(delivery);
    receive(body).then(() => {
      delivery.isHere = true;
      this.#flush(queue);
    });
  }

  #queue(delivery: Delivery): Delivery[] {
    const { stream } = delivery.message;
    let queue = this.#queues.get(stream);
    if (!queue) {
      queue = [];
      this.#queues.set(stream, queue);
    }
    queue.push(delivery);
    this.#flush(queue);
    return queue;
  }

  #flush(queue: Delivery[]): void {
    if (!this.#receiver) return;
    while (queue[0]?.isHere) {
      const { message, isWanted } = queue.shift() as Delivery;
      this.#lastReceivedAt = performance.now();
      this.#traffic.receivedMessages++;
      this.#traffic.receivedBytes += message.head.length + message.body.length;
      if (isWanted) this.#receiver.message(message);
    }
  }
}

const linkClosed = (reason: string) =>
  new CrinkleError({ tag: "LinkClosed", problem: `The link is closed: ${reason}` });
