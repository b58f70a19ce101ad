import { CrinkleError } from "../../core/errors.ts";
import type { Link } from "../transport/link.ts";
import { badMessage } from "../wire/frame.ts";
import { type Envelope, encodeHead, type Head, streams } from "./envelope.ts";

/**
 * Messages up to this size are sent at once, longer ones on request (the eager and rendezvous protocols of
 * MPI).
 */
const eagerBytes = 2 ** 16;

/**
 * What a rank buffers of another's messages that nobody has received: bytes of bodies and heads, and
 * requests to send.
 */
export const eagerCredit = 2 ** 22;
const requestCredit = 4096;

/** What a message counts for in addition to its body. */
const messageCost = 64;

/** A body that this rank has asked for. */
interface ClearedSend {
  readonly bytes: number;
  readonly into: Uint8Array | undefined;
  resolve(body: Uint8Array): void;
}

/** A message that has arrived or been announced. */
export interface Arrival {
  /** The sender's rank in the world. */
  readonly from: number;
  readonly envelope: Envelope;
  /** Whether the body has arrived with it. */
  readonly isHere: boolean;
  /** Takes the body once; requests it if it has not arrived, into `into` if that has the right length. */
  take(into?: Uint8Array): Promise<Uint8Array>;
}

/**
 * Messages to and from one rank in one epoch. Short ones are sent eagerly as long as the receiver has
 * granted credit; longer ones are announced by a request to send, and the receiver clears them when
 * somebody receives them. So a rank's memory for another's messages is bounded, however late it receives; a
 * sender that exceeds its credit is expelled.
 */
export class FlowControl {
  readonly #link: Link;
  readonly #from: number;
  readonly #epoch: number;
  readonly #arrived: (arrival: Arrival) => void;
  /** Bytes and requests that this rank may still send. */
  #credit = eagerCredit;
  #requests = requestCredit;
  readonly #waiting: (() => void)[] = [];
  /** Announced bodies that have not been cleared yet. */
  readonly #held = new Map<number, () => void>();
  readonly #cleared = new Map<number, ClearedSend>();
  #nextId = 0;
  /** How much of its credit the peer has used, and how much was freed but not yet returned. */
  #usedBytes = 0;
  #usedRequests = 0;
  #freeBytes = 0;
  #freeRequests = 0;
  readonly #requested = new Set<number>();

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
    const mayAnnounce = this.#waiting.length === 0 && this.#requests > 0;
    const announced = mayAnnounce
      ? this.#requestToSend(envelope)
      : new Promise<number>((resolve) => this.#waiting.push(() => resolve(this.#requestToSend(envelope))));
    const id = await announced;
    const head = encodeHead({ kind: "data", epoch: this.#epoch, id });
    await this.#link.send({ stream: streams.bulk, head, body });
  }

  /** Resolves to the message's id when the peer clears it. */
  async #requestToSend(envelope: Envelope): Promise<number> {
    this.#requests--;
    const id = this.#nextId;
    this.#nextId = (id + 1) >>> 0;
    const called = new Promise<void>((resolve) => this.#held.set(id, resolve));
    await this.#sendControl({ kind: "requestToSend", envelope, id }, streams.messages);
    await called;
    return id;
  }

  /** The epoch is over: releases waiting bodies. */
  end(): void {
    this.#waiting.length = 0;
    this.#held.clear();
    this.#cleared.clear();
  }

  /**
   * The memory for a long body. Throws BadMessage before allocating anything for a body that was not
   * requested.
   */
  allocate(head: Head, bytes: number): Uint8Array | undefined {
    if (head.kind === "eager" && bytes <= eagerBytes) return undefined;
    const called = head.kind === "data" ? this.#cleared.get(head.id) : undefined;
    if (called?.bytes !== bytes) throw badMessage(`${bytes} bytes that were not requested`);
    return called.into;
  }

  /** Throws BadMessage if the peer violates the protocol. */
  receive(head: Exclude<Head, { kind: "revoke" }>, body: Uint8Array): void {
    if (head.kind !== "eager" && head.kind !== "data" && body.length > 0) {
      throw badMessage("an unexpected body");
    }
    switch (head.kind) {
      case "eager":
        this.#onEager(head.envelope, body);
        return;
      case "requestToSend":
        this.#onRequestToSend(head.envelope, head.id);
        return;
      case "clearToSend": {
        const call = this.#held.get(head.id);
        if (!call) throw badMessage(`clearance for message ${head.id}, which was not announced`);
        this.#held.delete(head.id);
        call();
        return;
      }
      case "data": {
        const called = this.#cleared.get(head.id);
        if (called?.bytes !== body.length) throw badMessage(`${body.length} bytes that were not requested`);
        this.#cleared.delete(head.id);
        called.resolve(body);
        return;
      }
      case "credit":
        this.#credit += head.bytes;
        this.#requests += head.requests;
        if (this.#credit > eagerCredit || this.#requests > requestCredit) {
          throw badMessage("more credit returned than was used");
        }
        while (this.#requests > 0 && this.#waiting.length > 0) this.#waiting.shift()?.();
    }
  }

  #onEager(envelope: Envelope, body: Uint8Array): void {
    const cost = body.length + messageCost;
    this.#usedBytes += cost;
    if (body.length !== envelope.bytes || body.length > eagerBytes || this.#usedBytes > eagerCredit) {
      throw badMessage("an eager message beyond the credit or of the wrong length");
    }
    const take = () => {
      this.#freeBytes += cost;
      this.#returnCredit();
      return Promise.resolve(body);
    };
    this.#arrived({ from: this.#from, envelope, isHere: true, take });
  }

  #onRequestToSend(envelope: Envelope, id: number): void {
    if (this.#requested.has(id) || ++this.#usedRequests > requestCredit) {
      throw badMessage("too many requests to send");
    }
    this.#requested.add(id);
    const take = (into?: Uint8Array) => {
      this.#requested.delete(id);
      this.#freeRequests++;
      this.#returnCredit();
      const body = new Promise<Uint8Array>((resolve) => {
        const wanted = into?.length === envelope.bytes ? into : undefined;
        this.#cleared.set(id, { bytes: envelope.bytes, into: wanted, resolve });
      });
      void this.#sendControl({ kind: "clearToSend", epoch: this.#epoch, id }, streams.control).catch(ignored);
      return body;
    };
    this.#arrived({ from: this.#from, envelope, isHere: false, take });
  }

  /** Returns freed credit once it is worth a message. */
  #returnCredit(): void {
    if (this.#freeBytes < eagerCredit / 4 && this.#freeRequests < requestCredit / 4) return;
    const [bytes, requests] = [this.#freeBytes, this.#freeRequests];
    this.#usedBytes -= bytes;
    this.#usedRequests -= requests;
    this.#freeBytes = 0;
    this.#freeRequests = 0;
    void this.#sendControl({ kind: "credit", epoch: this.#epoch, bytes, requests }, streams.control).catch(
      ignored,
    );
  }

  #sendControl(head: Head, stream: number): Promise<void> {
    return this.#link.send({ stream, head: encodeHead(head), body: nothing });
  }
}

const nothing = new Uint8Array(0);

/** The link has ended: the epoch informs whoever waits. */
function ignored(error: unknown): void {
  if (!(error instanceof CrinkleError && error.tag === "LinkClosed")) throw error;
}
