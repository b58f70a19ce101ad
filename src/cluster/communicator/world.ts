import type { Link, Message, MessageHeader } from "../transport/link.ts";
import { badMessage } from "../wire/frame.ts";
import type { Tuning } from "./collectives/tuning.ts";
import { decodeHead, type Envelope, encodeHead, isOfEpoch, streams } from "./envelope.ts";
import { type CommunicatorError, freed, rankFailed, revoked } from "./errors.ts";
import { type Arrival, FlowControl } from "./flow-control.ts";
import { Mailbox } from "./mailbox.ts";
import { PendingCalls } from "./pending-calls.ts";

/** The world of the next epoch, and the ranks in this epoch of its first members, in order. */
export interface NextWorld {
  readonly world: World;
  readonly survivors: readonly number[];
}

/** What an epoch's world needs. */
export interface WorldOptions {
  readonly rank: number;
  /** By rank; the rank itself has none. */
  readonly links: readonly (Link | undefined)[];
  readonly epoch: number;
  readonly tuning: Tuning;
  /**
   * Resolves to the next epoch, which the remaining ranks agree on. Rejects if this rank is not among them.
   */
  next(): Promise<NextWorld>;
}

/** A communicator's state in its world: messages that arrived and calls in progress. */
export interface Context {
  readonly id: number;
  readonly mailbox: Mailbox;
  readonly pending: PendingCalls;
  /** Ranks of the world, by rank of the communicator; undefined until the communicator is created here. */
  group: readonly number[] | undefined;
  /** The rank whose message created it before the communicator existed here. */
  readonly by: number | undefined;
}

/** Communicators that a peer may use before this rank has created them. */
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
  /** By rank: how many contexts exist only because of its messages. */
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

  /** The memory for the body of a message from another rank. Throws BadMessage. */
  allocate(from: number, { head, bodyBytes }: MessageHeader): Uint8Array | null | undefined {
    return this.#isOver ? null : this.#flows[from]?.allocate(decodeHead(head), bodyBytes);
  }

  /** Handles a message of this epoch from another rank. Throws BadMessage if the sender must be expelled. */
  receive(from: number, { head: bytes, body }: Message): void {
    const head = decodeHead(bytes);
    if (this.#isOver) return;
    if (head.kind !== "revoke") {
      this.#flows[from]?.receive(head, body);
      return;
    }
    const context = this.#contextFor(from, head.context);
    const by = context.group?.indexOf(from);
    if (by === -1) throw notAMember(from);
    context.pending.end((operation) => revoked(operation, by, this.epoch));
  }

  /** Sends to a rank of the world, which may be this one. */
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

  /** Ends the epoch: every call in progress rejects. */
  fail(ranks: readonly number[]): void {
    this.#end();
    for (const rank of ranks) this.#failed.add(rank);
    for (const context of this.#contexts.values()) this.#endWithFailure(context);
  }

  /** Ends the epoch without a failure: the ranks go on to the next one. */
  retire(): void {
    this.#end();
    for (const { pending } of this.#contexts.values()) {
      pending.end((operation) => revoked(operation, undefined, this.epoch));
    }
  }

  /**
   * Ends a communicator's calls, on its other ranks and here: with Revoked unless another reason is given.
   */
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

  /** The context of a communicator with these ranks. */
  register(id: number, group: readonly number[]): Context {
    const context = this.#contexts.get(id) ?? this.#addContext(id, undefined);
    if (context.by !== undefined && !context.group) this.#early[context.by]--;
    context.group = group;
    context.mailbox.retain(({ from, envelope }) => group[envelope.source] === from);
    return context;
  }

  /** The communicator has ended on all ranks: nothing more arrives for it. */
  release({ id, mailbox, pending }: Context): void {
    this.#contexts.delete(id);
    pending.end(freed);
    mailbox.drain();
  }

  /** The number of communicators, including those that other ranks used first. */
  get communicators(): number {
    return this.#contexts.size;
  }

  #arrived(arrival: Arrival): void {
    const { from, envelope } = arrival;
    const context = this.#contextFor(from, envelope.context);
    if (context.group && context.group[envelope.source] !== from) throw notAMember(from);
    context.mailbox.arrive(arrival);
  }

  /** Stops sending and buffering messages of the epoch. */
  #end(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    for (const flow of this.#flows) flow?.end();
    for (const link of this.#links) link?.drop((head) => isOfEpoch(head, this.epoch));
  }

  /** A communicator's context; a peer may use it before it exists here. */
  #contextFor(from: number, id: number): Context {
    const known = this.#contexts.get(id);
    if (known) return known;
    if (++this.#early[from] > maxEarlyContexts) throw badMessage("messages of too many communicators");
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

/** Whoever awaits this learns of the end from the epoch. */
const never = () => new Promise<void>(() => {});

const notAMember = (from: number) => badMessage(`rank ${from} is not a member of the communicator`);
