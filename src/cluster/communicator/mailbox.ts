import { badMessage } from "../wire/frame.ts";
import { anySource, anyTag, type Status } from "./communicator.ts";
import type { Envelope, Operation } from "./envelope.ts";
import type { Arrival } from "./flow-control.ts";

interface Posted {
  readonly source: number;
  readonly tag: number;
  resolve(arrival: Arrival): void;
}

/** A receive that waits for a message, and a way to cancel it. */
export interface PendingReceive {
  readonly arrival: Promise<Arrival>;
  /** Returns false if a message has already matched. */
  cancel(): boolean;
}

/**
 * Messages that have arrived for one communicator, and receives that wait for them; each pair is matched
 * once.
 */
export class Mailbox {
  /** Point-to-point messages in order of arrival, and receives in order of their calls. */
  readonly #arrivals: Arrival[] = [];
  readonly #posted: Posted[] = [];
  /** Collective calls in progress on this rank, and the number of calls so far. */
  readonly #calls = new Map<number, Operation>();
  #callCount = 0;
  /** Messages of collectives, by call, source and slot. */
  readonly #steps = new Map<string, Arrival | ((arrival: Arrival) => void)>();

  /** Called with a collective's message if this rank's call of that number is a different one. */
  onMismatch: (step: Envelope, own: Operation | undefined) => void = () => {};

  arrive(arrival: Arrival): void {
    const { operation, sequence, source, tag } = arrival.envelope;
    if (operation !== "send") {
      this.#arriveStep(arrival, stepKey(sequence, source, tag));
      return;
    }
    const k = this.#posted.findIndex((posted) => matches(posted, source, tag));
    if (k < 0) this.#arrivals.push(arrival);
    else this.#posted.splice(k, 1)[0].resolve(arrival);
  }

  receive(source: number, tag: number): PendingReceive {
    const k = this.#find(source, tag);
    if (k >= 0) {
      const [arrival] = this.#arrivals.splice(k, 1);
      return { arrival: Promise.resolve(arrival), cancel: () => false };
    }
    let posted: Posted | undefined;
    const arrival = new Promise<Arrival>((resolve) => {
      posted = { source, tag, resolve };
      this.#posted.push(posted);
    });
    const cancel = () => {
      const at = this.#posted.indexOf(posted as Posted);
      if (at >= 0) this.#posted.splice(at, 1);
      return at >= 0;
    };
    return { arrival, cancel };
  }

  probe(source: number, tag: number): Status | undefined {
    const found = this.#arrivals[this.#find(source, tag)];
    return found && { source: found.envelope.source, tag: found.envelope.tag };
  }

  /** Starts a collective call and returns its number. */
  begin(operation: Operation): number {
    const sequence = this.#callCount++;
    this.#calls.set(sequence, operation);
    for (const step of this.#steps.values()) if (typeof step !== "function") this.#check(step);
    return sequence;
  }

  /** The call has received all its messages: any that remain were sent by a different call. */
  finish(sequence: number): void {
    this.#calls.delete(sequence);
    for (const step of this.#steps.values()) {
      if (typeof step !== "function" && step.envelope.sequence === sequence) this.#check(step);
    }
  }

  step(sequence: number, source: number, slot: number): Promise<Arrival> {
    const key = stepKey(sequence, source, slot);
    const known = this.#steps.get(key);
    if (typeof known === "function") throw new Error(`slot ${slot} of rank ${source} is received twice`);
    if (known) {
      this.#steps.delete(key);
      return Promise.resolve(known);
    }
    return new Promise((resolve) => this.#steps.set(key, resolve));
  }

  /** Drops messages of non-members that arrived before the members were known. */
  retain(isMember: (arrival: Arrival) => boolean): void {
    const kept = this.#arrivals.splice(0).filter(isMember);
    this.#arrivals.push(...kept);
    for (const [key, step] of this.#steps) {
      if (typeof step !== "function" && !isMember(step)) this.#steps.delete(key);
    }
  }

  /** Consumes messages that nobody received, so that their senders get their credit back. */
  drain(): void {
    for (const { isHere, take } of this.#arrivals.splice(0)) if (isHere) void take();
  }

  #find(source: number, tag: number): number {
    return this.#arrivals.findIndex(({ envelope }) =>
      matches({ source, tag }, envelope.source, envelope.tag),
    );
  }

  #arriveStep(arrival: Arrival, key: string): void {
    const waiting = this.#steps.get(key);
    if (typeof waiting === "function") {
      this.#steps.delete(key);
      waiting(arrival);
    } else if (waiting) throw badMessage("duplicate message of a collective");
    else {
      this.#steps.set(key, arrival);
      this.#check(arrival);
    }
  }

  /** A call receives all its messages before it ends, so later ones come from a different call. */
  #check({ envelope }: Arrival): void {
    const own = this.#calls.get(envelope.sequence);
    if (envelope.sequence < this.#callCount && own !== envelope.operation) this.onMismatch(envelope, own);
  }
}

const stepKey = (sequence: number, source: number, slot: number) => `${sequence} ${source} ${slot}`;

const matches = (posted: { readonly source: number; readonly tag: number }, source: number, tag: number) =>
  (posted.source === anySource || posted.source === source) && (posted.tag === anyTag || posted.tag === tag);
