import { CrinkleError } from "../../core/errors.ts";
import type { Link } from "../transport/link.ts";
import { malformed } from "../wire/frame.ts";
import { type Envelope, encodeHead, type Head, streams } from "./envelope.ts";

/** Messages up to this size go at once, longer ones when they are called for. */
const eagerBytes = 2 ** 16;

/** What a rank keeps of another's messages that nobody has received: bytes of bodies and heads, and announcements. */
export const eagerCredit = 2 ** 22;
const announcementCredit = 4096;

/** What a message counts for beside its body. */
const messageCost = 64;

/** A body that was called for. */
interface Called {
  readonly bytes: number;
  readonly into: Uint8Array | undefined;
  resolve(body: Uint8Array): void;
}

/** A message that has come, or of which one knows. */
export interface Arrival {
  /** Rank of the world that sent it. */
  readonly from: number;
  readonly envelope: Envelope;
  /** Its body has come with it. */
  readonly isHere: boolean;
  /**
   * Takes the body: calls for it where it is not here yet, into memory of one's own where that is as long. Once.
   */
  take(into?: Uint8Array): Promise<Uint8Array>;
}

/**
 * Messages to and from one rank in one epoch. Short ones are sent at once, as far as the other side has promised to keep
 * them; of all others it is told, and calls for them when somebody receives them. So the memory that a rank needs for
 * another's messages is bounded, however late it receives; who sends more is expelled.
 */
export class Flow {
  readonly #link: Link;
  readonly #from: number;
  readonly #epoch: number;
  readonly #arrived: (arrival: Arrival) => void;
  /** Bytes and announcements that may still be sent. */
  #credit = eagerCredit;
  #announcements = announcementCredit;
  readonly #waiting: (() => void)[] = [];
  /** Announced bodies that nobody has called for. */
  readonly #held = new Map<number, () => void>();
  readonly #called = new Map<number, Called>();
  #nextId = 0;
  /** What the other side has used of its credit, and what was given back to it and not yet told. */
  #usedBytes = 0;
  #usedAnnouncements = 0;
  #freeBytes = 0;
  #freeAnnouncements = 0;
  readonly #announced = new Set<number>();

  constructor(link: Link, from: number, epoch: number, arrived: (arrival: Arrival) => void) {
    this.#link = link;
    this.#from = from;
    this.#epoch = epoch;
    this.#arrived = arrived;
  }

  /** Resolves when `body` may be changed again. Messages arrive in the order of these calls. */
  async send(envelope: Envelope, body: Uint8Array): Promise<void> {
    const cost = body.length + messageCost;
    if (this.#waiting.length === 0 && body.length <= eagerBytes && this.#credit >= cost) {
      this.#credit -= cost;
      await this.#link.send({
        stream: streams.messages,
        head: encodeHead({ kind: "eager", envelope }),
        body,
      });
      return;
    }
    const mayAnnounce = this.#waiting.length === 0 && this.#announcements > 0;
    const announced = mayAnnounce
      ? this.#announce(envelope)
      : new Promise<number>((resolve) => this.#waiting.push(() => resolve(this.#announce(envelope))));
    const id = await announced;
    const head = encodeHead({ kind: "data", epoch: this.#epoch, id });
    await this.#link.send({ stream: streams.bulk, head, body });
  }

  /** Resolves to the message's number when it is called for. */
  async #announce(envelope: Envelope): Promise<number> {
    this.#announcements--;
    const id = this.#nextId;
    this.#nextId = (id + 1) >>> 0;
    const called = new Promise<void>((resolve) => this.#held.set(id, resolve));
    await this.#direct({ kind: "announce", envelope, id }, streams.messages);
    await called;
    return id;
  }

  /** The epoch is over: bodies that wait are let go. */
  end(): void {
    this.#waiting.length = 0;
    this.#held.clear();
    this.#called.clear();
  }

  /** Where a long body is wanted. Throws BadMessage before memory is taken for one that is not. */
  memory(head: Head, bytes: number): Uint8Array | undefined {
    if (head.kind === "eager" && bytes <= eagerBytes) return undefined;
    const called = head.kind === "data" ? this.#called.get(head.id) : undefined;
    if (called?.bytes !== bytes) throw malformed(`brings ${bytes} bytes that were not called for`);
    return called.into;
  }

  /** Throws BadMessage where the other side breaks the rules. */
  receive(head: Exclude<Head, { kind: "revoke" }>, body: Uint8Array): void {
    if (head.kind !== "eager" && head.kind !== "data" && body.length > 0) {
      throw malformed("has a body where none belongs");
    }
    switch (head.kind) {
      case "eager":
        this.#takeEager(head.envelope, body);
        return;
      case "announce":
        this.#takeAnnouncement(head.envelope, head.id);
        return;
      case "call": {
        const call = this.#held.get(head.id);
        if (!call) throw malformed(`calls for message ${head.id}, which was not announced`);
        this.#held.delete(head.id);
        call();
        return;
      }
      case "data": {
        const called = this.#called.get(head.id);
        if (called?.bytes !== body.length)
          throw malformed(`brings ${body.length} bytes that were not called for`);
        this.#called.delete(head.id);
        called.resolve(body);
        return;
      }
      case "credit":
        this.#credit += head.bytes;
        this.#announcements += head.announcements;
        if (this.#credit > eagerCredit || this.#announcements > announcementCredit) {
          throw malformed("gives back more than was sent");
        }
        while (this.#announcements > 0 && this.#waiting.length > 0) this.#waiting.shift()?.();
    }
  }

  #takeEager(envelope: Envelope, body: Uint8Array): void {
    const cost = body.length + messageCost;
    this.#usedBytes += cost;
    if (body.length !== envelope.bytes || body.length > eagerBytes || this.#usedBytes > eagerCredit) {
      throw malformed("is sent without being called for");
    }
    const take = () => {
      this.#freeBytes += cost;
      this.#giveBack();
      return Promise.resolve(body);
    };
    this.#arrived({ from: this.#from, envelope, isHere: true, take });
  }

  #takeAnnouncement(envelope: Envelope, id: number): void {
    if (this.#announced.has(id) || ++this.#usedAnnouncements > announcementCredit) {
      throw malformed("announces too many messages");
    }
    this.#announced.add(id);
    const take = (into?: Uint8Array) => {
      this.#announced.delete(id);
      this.#freeAnnouncements++;
      this.#giveBack();
      const body = new Promise<Uint8Array>((resolve) => {
        const wanted = into?.length === envelope.bytes ? into : undefined;
        this.#called.set(id, { bytes: envelope.bytes, into: wanted, resolve });
      });
      void this.#direct({ kind: "call", epoch: this.#epoch, id }, streams.control).catch(ignored);
      return body;
    };
    this.#arrived({ from: this.#from, envelope, isHere: false, take });
  }

  /** Tells what was given back once it is worth a message. */
  #giveBack(): void {
    if (this.#freeBytes < eagerCredit / 4 && this.#freeAnnouncements < announcementCredit / 4) return;
    const [bytes, announcements] = [this.#freeBytes, this.#freeAnnouncements];
    this.#usedBytes -= bytes;
    this.#usedAnnouncements -= announcements;
    this.#freeBytes = 0;
    this.#freeAnnouncements = 0;
    void this.#direct({ kind: "credit", epoch: this.#epoch, bytes, announcements }, streams.control).catch(
      ignored,
    );
  }

  #direct(head: Head, stream: number): Promise<void> {
    return this.#link.send({ stream, head: encodeHead(head), body: nothing });
  }
}

const nothing = new Uint8Array(0);

/** The link has ended: whoever waits learns it from the epoch. */
function ignored(error: unknown): void {
  if (!(error instanceof CrinkleError && error.tag === "LinkClosed")) throw error;
}
