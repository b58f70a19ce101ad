import { streams } from "../communicator/envelope.ts";
import { eagerCredit } from "../communicator/flow-control.ts";
import type { Link, LinkEnd, LinkReceiver, Message, MessageHeader } from "../transport/link.ts";
import { badMessage } from "../wire/frame.ts";

/**
 * First byte of the head of messages between room members outside of epochs; those of epochs begin with
 * smaller bytes.
 */
const roomMark = 0x81;

/** Bytes buffered for a member that has not been admitted yet. */
const maxWaitingBytes = 2 * eagerCredit;

export interface RoomReceiver {
  /** Called with the parsed JSON. Throws BadMessage if it is not a valid message. */
  message(value: unknown): void;
  ended(end: LinkEnd): void;
}

/**
 * Splits a link between a room and its member: the member gets a link of its own, which buffers messages
 * until it is started.
 */
export class LinkDemux {
  readonly memberLink: Link;
  readonly #link: Link;
  readonly #room: RoomReceiver;
  readonly #waiting: Message[] = [];
  #waitingBytes = 0;
  #receiver: LinkReceiver | undefined;
  #end: LinkEnd | undefined;

  constructor(link: Link, room: RoomReceiver) {
    this.#link = link;
    this.#room = room;
    const start = (receiver: LinkReceiver) => this.#start(receiver);
    this.memberLink = {
      path: link.path,
      get traffic() {
        return link.traffic;
      },
      get lastReceivedAt() {
        return link.lastReceivedAt;
      },
      start,
      send: (message) => link.send(message),
      drop: (isUnwanted) => link.drop(isUnwanted),
      close: (reason) => link.close(reason),
    };
  }

  /** Starts receiving. */
  open(): void {
    this.#link.start({
      allocate: (message) => this.#allocate(message),
      message: (message) => {
        if (message.head[0] !== roomMark) this.#deliver(message);
        else if (message.stream !== streams.control)
          throw badMessage("a room message outside the control stream");
        else this.#room.message(parse(message.body));
      },
      ended: (end) => {
        this.#end = end;
        this.#room.ended(end);
        this.#receiver?.ended(end);
      },
    });
  }

  /** Rejects with LinkClosed if the link ends first. */
  send(value: unknown): Promise<void> {
    const body = new TextEncoder().encode(JSON.stringify(value));
    return this.#link.send({ stream: streams.control, head: Uint8Array.of(roomMark), body });
  }

  close(reason: string): void {
    this.#link.close(reason);
  }

  #start(receiver: LinkReceiver): void {
    this.#receiver = receiver;
    for (const message of this.#waiting.splice(0)) receiver.message(message);
    if (this.#end) receiver.ended(this.#end);
  }

  #deliver(message: Message): void {
    if (this.#receiver) {
      this.#receiver.message(message);
      return;
    }
    this.#waitingBytes += message.head.length + message.body.length;
    if (this.#waitingBytes > maxWaitingBytes) throw tooEarly();
    this.#waiting.push(message);
  }

  /** Throws BadMessage before allocating memory for a message that would be dropped. */
  #allocate(message: MessageHeader): Uint8Array | null | undefined {
    if (message.head[0] === roomMark) {
      if (message.bodyBytes > maxSaidBytes) throw tooLong();
      return undefined;
    }
    if (!this.#receiver && message.bodyBytes > maxWaitingBytes) throw tooEarly();
    return this.#receiver?.allocate?.(message);
  }
}

const tooEarly = () => badMessage("a message of an epoch that has not begun");
const tooLong = () => badMessage("the room message is too long");

const maxSaidBytes = 2 ** 20;

function parse(body: Uint8Array): unknown {
  if (body.length > maxSaidBytes) throw tooLong();
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw badMessage("the room message is not JSON");
  }
}
