import { streams } from "../communicator/envelope.ts";
import { eagerCredit } from "../communicator/flow.ts";
import type { Announced, Link, LinkEnd, LinkReceiver, Message } from "../transport/link.ts";
import { malformed } from "../wire/frame.ts";

/** First byte of the head of what a room's members say to each other outside of epochs; smaller ones are epochs'. */
const roomMark = 0x81;

/** What may wait for a member that has not been admitted yet. */
const mostWaitingBytes = 2 * eagerCredit;

export interface RoomReceiver {
  /** JSON as it came. Throws BadMessage where it is not what belongs. */
  said(value: unknown): void;
  ended(end: LinkEnd): void;
}

/** A link that a room and its member share: the member's half is a link of its own, whose messages wait for its start. */
export class Fork {
  readonly member: Link;
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
    this.member = {
      path: link.path,
      get traffic() {
        return link.traffic;
      },
      get heardAt() {
        return link.heardAt;
      },
      start,
      send: (message) => link.send(message),
      drop: (isUnwanted) => link.drop(isUnwanted),
      close: (reason) => link.close(reason),
    };
  }

  /** What has come is heard from now on. */
  open(): void {
    this.#link.start({
      memory: (message) => this.#memory(message),
      message: (message) => {
        if (message.head[0] !== roomMark) this.#pass(message);
        else if (message.stream !== streams.control)
          throw malformed("has a room's message in the wrong place");
        else this.#room.said(parse(message.body));
      },
      ended: (end) => {
        this.#end = end;
        this.#room.ended(end);
        this.#receiver?.ended(end);
      },
    });
  }

  /** Rejects with LinkClosed where the link ends first. */
  say(value: unknown): Promise<void> {
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

  #pass(message: Message): void {
    if (this.#receiver) {
      this.#receiver.message(message);
      return;
    }
    this.#waitingBytes += message.head.length + message.body.length;
    if (this.#waitingBytes > mostWaitingBytes) throw tooEarly();
    this.#waiting.push(message);
  }

  /** Throws BadMessage before memory is taken for what will not be kept. */
  #memory(message: Announced): Uint8Array | null | undefined {
    if (message.head[0] === roomMark) {
      if (message.bodyBytes > mostSaidBytes) throw tooLong();
      return undefined;
    }
    if (!this.#receiver && message.bodyBytes > mostWaitingBytes) throw tooEarly();
    return this.#receiver?.memory?.(message);
  }
}

const tooEarly = () => malformed("is of an epoch that has not begun");
const tooLong = () => malformed("says more than a room's members have to say");

const mostSaidBytes = 2 ** 20;

function parse(body: Uint8Array): unknown {
  if (body.length > mostSaidBytes) throw tooLong();
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch {
    throw malformed("says something that is no JSON");
  }
}
