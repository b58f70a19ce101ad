import type { Link, Message, MessageHeader } from "../transport/link.ts";
import { badMessage } from "../wire/frame.ts";
import type { Tuning } from "./collectives/tuning.ts";
import { decodeHead, type Envelope, encodeHead, isOfEpoch, streams } from "./envelope.ts";
import { type CommunicatorError, freed, rankFailed, revoked } from "./errors.ts";
import { type Arrival, FlowControl } from "./flow-control.ts";
import { Mailbox } from "./mailbox.ts";
import { PendingCalls } from "./pending-calls.ts";

/** The world of the next epoch, and this one's ranks of its first members, in their order. */
export interface NextWorld {
  readonly world: World;
  readonly survivors: readonly number[];
}

/** What an epoch is made of. */
export interface WorldOptions {
  readonly rank: number;
  /** By rank; the own one has none. */
  readonly links: readonly (Link | undefined)[];
  readonly epoch: number;
  readonly tuning: Tuning;
  /** The next epoch, which the ranks that are left agree on. Rejects where this rank is not among them. */
  next(): Promise<NextWorld>;
}

/** A communicator's place in its world: what comes for it, and what waits. */
export interface Context {
  readonly id: number;
  readonly mailbox: Mailbox;
  readonly pending: PendingCalls;
  /** Ranks of the world, by rank of the communicator; not known before the communicator is made. */
  group: readonly number[] | undefined;
  /** Whose message it was made for, before the communicator was. */
  readonly by: number | undefined;
}

/** Communicators that a rank may speak of before this one has made them. */
const maxEarlyContexts = 4096;

/** The ranks of one epoch: messages between them, for all of their communicators, until one of them fails. */
export class World {
  readonly rank: number;
  readonly size: number;
  readonly epoch: number;
  readonly tuning: Tuning;
  readonly #links: readonly (Link | undefined)[];
  readonly #flows: readonly (FlowControl | undefined)[];
  readonly #contexts = new Map<number, Context>();
  /** By rank: how many contexts there are for its messages alone. */
  readonly #early: number[];
  readonly #failed = new Set<number>();
  readonly #next: WorldOptions["next"];
  #isOver = false;

  constructor({ rank, links, epoch, tuning, next }: WorldOptions) {
    this.rank = rank;
    this.size = links.length;
    this.epoch = epoch;
    this.tuning = tuning;
    this.#links = links;
    this.#next = next;
    this.#early = links.map(() => 0);
    this.#flows = links.map(
      (link, from) => link && new FlowControl(link, from, epoch, (arrival) => this.#arrived(arrival)),
    );
  }

  /** Ranks that have failed in this epoch, ascending. */
  get failed(): readonly number[] {
    return [...this.#failed].toSorted((a, b) => a - b);
  }

  /** Where the body of what another rank sends is to be received. Throws BadMessage. */
  allocate(from: number, { head, bodyBytes }: MessageHeader): Uint8Array | null | undefined {
    return this.#isOver ? null : this.#flows[from]?.allocate(decodeHead(head), bodyBytes);
  }

  /** What another rank sent in this epoch. Throws BadMessage, for which it is to be expelled. */
  receive(from: number, { head: bytes, body }: Message): void {
    const head = decodeHead(bytes);
    if (this.#isOver) return;
    if (head.kind !== "revoke") {
      this.#flows[from]?.receive(head, body);
      return;
    }
    const context = this.#contextFor(from, head.context);
    const by = context.group?.indexOf(from);
    if (by === -1) throw stranger(from);
    context.pending.end((operation) => revoked(operation, by, this.epoch));
  }

  /** Sends to a rank of the world, this one too. */
  send(to: number, envelope: Envelope, body: Uint8Array): Promise<void> {
    if (this.#isOver) return never();
    if (to !== this.rank) {
      // Without a link the rank has failed, which ends the call.
      return this.#flows[to]?.send(envelope, body) ?? never();
    }
    const own = body.slice();
    this.#arrived({ from: this.rank, envelope, isHere: true, take: () => Promise.resolve(own) });
    return Promise.resolve();
  }

  /** The epoch ends: every call under way rejects. */
  fail(ranks: readonly number[]): void {
    this.#end();
    for (const rank of ranks) this.#failed.add(rank);
    for (const context of this.#contexts.values()) this.#endWithFailure(context);
  }

  /** The ranks go on to another epoch, without a failure. */
  retire(): void {
    this.#end();
    for (const { pending } of this.#contexts.values()) {
      pending.end((operation) => revoked(operation, undefined, this.epoch));
    }
  }

  /** Ends a communicator's calls on its other ranks, and here: with Revoked unless another reason is given. */
  revoke(context: Context, reason?: CommunicatorError): void {
    if (context.pending.hasEnded) return;
    const head = encodeHead({ kind: "revoke", epoch: this.epoch, context: context.id });
    for (const rank of context.group ?? []) {
      this.#links[rank]?.send({ stream: streams.control, head, body: new Uint8Array(0) }).catch(() => {});
    }
    const by = context.group?.indexOf(this.rank);
    context.pending.end((operation) => reason ?? revoked(operation, by, this.epoch));
  }

  next(): Promise<NextWorld> {
    return this.#next();
  }

  /** The place of a communicator of these ranks. */
  register(id: number, group: readonly number[]): Context {
    const context = this.#contexts.get(id) ?? this.#addContext(id, undefined);
    if (context.by !== undefined && !context.group) this.#early[context.by]--;
    context.group = group;
    context.mailbox.retain(({ from, envelope }) => group[envelope.source] === from);
    return context;
  }

  /** The communicator is no more, on all ranks: nothing comes for it. */
  release({ id, mailbox, pending }: Context): void {
    this.#contexts.delete(id);
    pending.end(freed);
    mailbox.drain();
  }

  /** How many communicators there are, with those that other ranks spoke of first. */
  get communicators(): number {
    return this.#contexts.size;
  }

  #arrived(arrival: Arrival): void {
    const { from, envelope } = arrival;
    const context = this.#contextFor(from, envelope.context);
    if (context.group && context.group[envelope.source] !== from) throw stranger(from);
    context.mailbox.arrive(arrival);
  }

  /** Nothing of the epoch is sent or kept any more. */
  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const flow of this.#flows) flow?.end();
    for (const link of this.#links) link?.drop((head) => isOfEpoch(head, this.epoch));
  }

  /** A communicator's context, which a rank may speak of earlier than it is made here. */
  #contextFor(from: number, id: number): Context {
    const known = this.#contexts.get(id);
    if (known) return known;
    if (++this.#early[from] > maxEarlyContexts) throw badMessage("speaks of too many communicators");
    return this.#addContext(id, from);
  }

  #addContext(id: number, by: number | undefined): Context {
    const context = { id, mailbox: new Mailbox(), pending: new PendingCalls(), group: undefined, by };
    this.#contexts.set(id, context);
    if (this.#isOver) this.#endWithFailure(context);
    return context;
  }

  #endWithFailure({ pending, group }: Context): void {
    const ranks = this.failed.map((rank) => (group ? group.indexOf(rank) : rank)).filter((rank) => rank >= 0);
    pending.end((operation) => rankFailed(operation, ranks, this.epoch));
  }
}

/** Whoever waits for it learns of the end from the epoch. */
const never = () => new Promise<void>(() => {});

const stranger = (from: number) => badMessage(`is for a communicator of which rank ${from} is no member`);
