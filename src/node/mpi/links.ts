import type { Message } from "../../cluster/transport/link.ts";
import type { Handle } from "./abi.ts";
import type { MpiLibrary } from "./library.ts";
import { MpiLink } from "./link.ts";
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
      to === this.#rank ? undefined : new MpiLink((message) => this.#sendTo(to, message)),
    );
    this.#receiveNext();
  }

  #sendTo(to: number, { stream, head, body }: Message): Promise<void> {
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
    request[0] = this.#receive;
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
