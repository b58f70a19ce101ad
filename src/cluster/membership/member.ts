import { CrinkleError } from "../../core/errors.ts";
import type { Clock } from "../clock.ts";
import type { Tuning } from "../communicator/collectives/tuning.ts";
import { epochOf, streams } from "../communicator/envelope.ts";
import { eagerCredit } from "../communicator/flow-control.ts";
import type { Link, LinkEnd, Message, MessageHeader } from "../transport/link.ts";
import { badMessage } from "../wire/frame.ts";
import { Epoch } from "./epoch.ts";
import { defaultTiming, FailureDetector, type FailureDetectorTiming } from "./failure-detector.ts";
import {
  decodeMembershipMessage,
  encodeMembershipMessage,
  type MembershipMessage,
  type MembershipPlan,
  membershipMark,
} from "./membership-message.ts";

export interface MemberOptions {
  /** This member's name in the room. */
  readonly name: string;
  /** The number of the first epoch that it takes part in, and the members by rank. */
  readonly epoch: number;
  readonly names: readonly string[];
  /** To every other member, by name; the member owns them from now on. */
  readonly links: ReadonlyMap<string, Link>;
  /** What collectives are chosen by, given the members by rank; the same on all of them. */
  tuning(names: readonly string[]): Tuning;
  readonly clock: Clock;
  readonly timing?: FailureDetectorTiming;
  /** A guest leaves at once where all others have failed, however uncertain that is; others wait for a quorum. */
  readonly isGuest?: boolean;
  /** Called as each epoch begins, except for the first. */
  readonly onEpoch?: (epoch: Epoch) => void;
  /** Called once with the reason when it is no longer a member. */
  readonly onLeft?: (problem: string) => void;
}

/**
 * Buffered messages of an epoch that has not begun here: what the flow control of one epoch admits, and
 * membership messages.
 */
const maxEarlyBytes = 2 * eagerCredit;

/** Membership messages waiting to be sent to a member; a member that does not read them is disconnected. */
const maxUnsent = 1000;

/** Milliseconds that the last message to a member has to be sent. */
const farewellMs = 1000;

interface Peer {
  readonly link: Link;
  isLeaving: boolean;
  end: LinkEnd | undefined;
  readonly early: Message[];
  earlyBytes: number;
  unsent: number;
}

/**
 * A member of a room: owns its links and sends heartbeats, ends an epoch when one of its ranks fails,
 * agrees with the others on the next one and begins it. Every member of an epoch has a link to every other.
 */
export class Member {
  readonly #options: MemberOptions;
  readonly #peers = new Map<string, Peer>();
  readonly #detector: FailureDetector<number>;
  #epoch: Epoch;
  /** The plan that ended the previous epoch, for members that have not learned it. */
  #lastPlan: { readonly epoch: number; readonly plan: MembershipPlan } | undefined;
  #joining: readonly string[] = [];
  #hasLeft = false;

  constructor(options: MemberOptions) {
    this.#options = options;
    this.#detector = new FailureDetector(options.clock, options.timing ?? defaultTiming);
    for (const [name, link] of options.links) this.#addPeer(name, link);
    this.#epoch = this.#makeEpoch(options.epoch, options.names);
    for (const name of this.#peers.keys()) this.#startPeer(name);
    for (const name of options.names) {
      if (name !== options.name && !this.#peers.has(name)) this.#epoch.failMember(name, false);
    }
  }

  get epoch(): Epoch {
    return this.#epoch;
  }

  /** Adds a link to a future member. */
  connect(name: string, link: Link): void {
    if (this.#peers.has(name)) return;
    this.#addPeer(name, link);
    this.#startPeer(name);
  }

  /** Begins another epoch with these members added at the end; all others have links to them. */
  admit(names: readonly string[]): void {
    this.#joining = names;
    this.#epoch.begin();
  }

  /** Removes a member from the room. */
  remove(name: string): void {
    this.#epoch.failMember(name, false);
  }

  /**
   * Reports from outside that a member is dead: its process ended, or another connection to it shows that.
   */
  declareDead(name: string): void {
    this.#epoch.failMember(name, true);
  }

  /** Leaves for good and informs the others at once. */
  async leave(): Promise<void> {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    this.#detector.stop();
    const dismissed = [...this.#peers.values()].map((peer) =>
      this.#dismiss(peer, { kind: "leaving" }, "The rank has left."),
    );
    this.#epoch.abandon("This rank has left the room.");
    await Promise.all(dismissed);
  }

  #addPeer(name: string, link: Link): void {
    this.#peers.set(name, { link, isLeaving: false, end: undefined, early: [], earlyBytes: 0, unsent: 0 });
  }

  #startPeer(name: string): void {
    const { link } = this.#peer(name);
    link.start({
      allocate: (message) => this.#allocate(name, message),
      message: (message) => this.#receive(name, message),
      ended: (end) => this.#ended(name, end),
    });
  }

  #peer(name: string): Peer {
    return this.#peers.get(name) as Peer;
  }

  #makeEpoch(number: number, names: readonly string[]): Epoch {
    const { name: own, clock, isGuest = false } = this.#options;
    const epoch = new Epoch({
      number,
      names,
      own,
      links: names.map((name) => this.#peers.get(name)?.link),
      clock,
      isGuest,
      tuning: this.#options.tuning(names),
      joining: () => this.#joining.filter((name) => this.#peers.has(name)),
      send: (name, message) => this.#send(name, message),
      onDecided: (plan) => this.#advance(plan),
      onNoQuorum: (problem) => this.#endMembership(problem),
    });
    for (const [rank, name] of names.entries()) {
      const peer = this.#peers.get(name);
      if (name === own || !peer) continue;
      this.#detector.add(rank, {
        lastReceivedAt: () => peer.link.lastReceivedAt,
        sendHeartbeat: () => void this.#sendTo(peer, { kind: "heartbeat" }),
        onTimeout: () => epoch.fail(rank, false),
      });
    }
    return epoch;
  }

  #allocate(name: string, message: MessageHeader): Uint8Array | null | undefined {
    if (message.head[0] === membershipMark)
      throw badMessage("a membership message outside the control stream");
    const epoch = epochOf(message.head);
    if (epoch > this.#epoch.number && message.bodyBytes > maxEarlyBytes) throw tooEarly();
    if (epoch > this.#epoch.number) return undefined;
    return epoch === this.#epoch.number && !this.#hasLeft ? this.#epoch.allocate(name, message) : null;
  }

  #receive(name: string, message: Message): void {
    if (this.#hasLeft || !this.#peers.has(name)) return;
    const { stream, head, body } = message;
    if (head[0] !== membershipMark) {
      const epoch = epochOf(head);
      if (epoch > this.#epoch.number) this.#buffer(name, message);
      else if (epoch === this.#epoch.number) this.#epoch.receive(name, message);
      return;
    }
    if (stream !== streams.control || body.length > 0)
      throw badMessage("a membership message outside the control stream");
    const membership = decodeMembershipMessage(head);
    if (membership.kind === "heartbeat") return;
    if (membership.kind === "leaving") {
      this.#peer(name).isLeaving = true;
      this.#epoch.failMember(name, true);
    } else if (membership.epoch > this.#epoch.number) this.#buffer(name, message);
    else if (membership.epoch === this.#epoch.number) this.#epoch.receiveMembership(name, membership);
    else if (this.#lastPlan?.epoch === membership.epoch && membership.kind !== "decided") {
      this.#send(name, { kind: "decided", ...this.#lastPlan });
    }
  }

  #buffer(name: string, message: Message): void {
    const peer = this.#peer(name);
    peer.earlyBytes += message.head.length + message.body.length;
    if (peer.earlyBytes > maxEarlyBytes) throw tooEarly();
    peer.early.push(message);
  }

  #ended(name: string, end: LinkEnd): void {
    const peer = this.#peers.get(name);
    if (!peer) return;
    peer.end = end;
    if (!this.#epoch.names.includes(name)) this.#peers.delete(name);
    if (!this.#hasLeft) this.#epoch.failMember(name, peer.isLeaving);
  }

  #send(name: string, message: MembershipMessage): void {
    const peer = this.#peers.get(name);
    if (peer && !peer.end) void this.#sendTo(peer, message);
  }

  async #sendTo(peer: Peer, message: MembershipMessage): Promise<void> {
    if (peer.unsent >= maxUnsent) {
      peer.link.close("The other side does not read its messages.");
      return;
    }
    peer.unsent++;
    try {
      await peer.link.send({
        stream: streams.control,
        head: encodeMembershipMessage(message),
        body: new Uint8Array(0),
      });
    } catch (error) {
      if (!(error instanceof CrinkleError && error.tag === "LinkClosed")) throw error;
    } finally {
      peer.unsent--;
    }
  }

  /** Closes a link after a last message has been sent or its time is up. */
  async #dismiss(peer: Peer, last: MembershipMessage, reason: string): Promise<void> {
    if (!peer.end) {
      await new Promise<void>((resolve) => {
        const stopTimer = this.#options.clock.after(farewellMs, resolve);
        void this.#sendTo(peer, last).then(() => {
          stopTimer();
          resolve();
        });
      });
    }
    peer.link.close(reason);
  }

  #advance(plan: MembershipPlan): void {
    const before = this.#epoch;
    if (this.#hasLeft) return;
    if (!before.hasOwn(plan)) {
      this.#endMembership(
        `The other ranks continued without this one after epoch ${before.number} because they did not hear from it.`,
      );
      return;
    }
    this.#lastPlan = { epoch: before.number, plan };
    this.#joining = this.#joining.filter((name) => !plan.join.includes(name));
    const names = [...plan.stay.map((rank) => before.names[rank]), ...plan.join];
    this.#detector.clear();
    this.#drop(before.names.filter((name) => !names.includes(name)));
    const epoch = this.#makeEpoch(before.number + 1, names);
    this.#epoch = epoch;
    before.succeed(epoch, plan.stay);
    this.#options.onEpoch?.(epoch);
    for (const name of names) {
      if (name === this.#options.name) continue;
      const peer = this.#peers.get(name);
      if (!peer) {
        epoch.failMember(name, false);
        continue;
      }
      peer.earlyBytes = 0;
      for (const message of peer.early.splice(0)) this.#receiveEarly(name, message);
      if (peer.end) epoch.failMember(name, peer.isLeaving);
    }
  }

  /** Handles a buffered message; an invalid one expels its sender, as it would have on arrival. */
  #receiveEarly(name: string, message: Message): void {
    try {
      this.#receive(name, message);
    } catch (error) {
      if (!(error instanceof CrinkleError && error.tag === "BadMessage")) throw error;
      this.#peer(name).link.close(error.message);
      this.#epoch.failMember(name, false);
    }
  }

  /** Closes links to former members once they can have learned the decision. */
  #drop(names: readonly string[]): void {
    for (const name of names) {
      const peer = this.#peers.get(name);
      this.#peers.delete(name);
      if (!peer || peer.end || !this.#lastPlan) continue;
      void this.#dismiss(
        peer,
        { kind: "decided", ...this.#lastPlan },
        "The room continues without this rank.",
      );
    }
  }

  #endMembership(problem: string): void {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    this.#detector.stop();
    this.#epoch.abandon(problem);
    for (const { link } of this.#peers.values()) link.close(problem);
    this.#options.onLeft?.(problem);
  }
}

const tooEarly = () => badMessage("a message of an epoch that has not begun");
