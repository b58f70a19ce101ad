import type { Clock } from "../clock.ts";
import type { Tuning } from "../communicator/collectives/tuning.ts";
import { CommunicatorError } from "../communicator/errors.ts";
import { type NextWorld, World } from "../communicator/world.ts";
import type { Link, Message, MessageHeader } from "../transport/link.ts";
import { badMessage } from "../wire/frame.ts";
import type { MembershipMessage, MembershipPlan } from "./membership-message.ts";
import { Paxos } from "./paxos.ts";

/** Milliseconds within which the remaining ranks must agree. */
const agreementTimeoutMs = 15_000;

export interface EpochOptions {
  readonly number: number;
  /** Members by rank. */
  readonly names: readonly string[];
  readonly own: string;
  /** By rank; the rank itself has none. */
  readonly links: readonly (Link | undefined)[];
  readonly clock: Clock;
  readonly tuning: Tuning;
  /** Members that wait to join. */
  joining(): readonly string[];
  send(name: string, message: MembershipMessage): void;
  onDecided(plan: MembershipPlan): void;
  /** Whether this rank does not continue once all others have failed. */
  readonly isGuest: boolean;
  /** The remaining ranks could not reach a quorum, or this rank is a guest and the last. */
  onNoQuorum(problem: string): void;
}

/**
 * One epoch, from the decision on its members until the decision on the next: its world, and which members
 * have failed.
 */
export class Epoch {
  readonly number: number;
  readonly names: readonly string[];
  readonly rank: number;
  readonly world: World;
  readonly #options: EpochOptions;
  readonly #paxos: Paxos;
  /** Ranks that this one considers failed; those that it detected itself, and whether for certain. */
  readonly #failed = new Set<number>();
  readonly #detected = new Map<number, boolean>();
  readonly #succession: Promise<NextWorld>;
  #succeed: (next: NextWorld) => void = () => {};
  #refuse: (error: CommunicatorError) => void = () => {};
  #stopTimer: (() => void) | undefined;
  #hasEnded = false;

  constructor(options: EpochOptions) {
    const { number, names, own, links, clock, tuning } = options;
    this.#options = options;
    this.number = number;
    this.names = names;
    this.rank = names.indexOf(own);
    this.#succession = new Promise((resolve, reject) => {
      this.#succeed = resolve;
      this.#refuse = reject;
    });
    this.#succession.catch(() => {});
    this.#paxos = new Paxos({
      rank: this.rank,
      size: names.length,
      epoch: number,
      clock,
      send: (to, message) => options.send(names[to], message),
      joining: options.joining,
      onDecided: options.onDecided,
    });
    const next = () => {
      this.begin();
      return this.#succession;
    };
    this.world = new World({ rank: this.rank, links, epoch: number, tuning, next });
  }

  receive(name: string, message: Message): void {
    const from = this.names.indexOf(name);
    if (from < 0) throw badMessage("a message of an epoch that its sender does not belong to");
    this.world.receive(from, message);
  }

  allocate(name: string, message: MessageHeader): Uint8Array | null | undefined {
    const from = this.names.indexOf(name);
    if (from < 0) throw badMessage("a message of an epoch that its sender does not belong to");
    return this.world.allocate(from, message);
  }

  receiveMembership(
    name: string,
    message: Exclude<MembershipMessage, { kind: "heartbeat" | "leaving" }>,
  ): void {
    const from = this.names.indexOf(name);
    if (from < 0) throw badMessage("a message of an epoch that its sender does not belong to");
    if (this.#hasEnded) return;
    if (message.kind !== "failed") {
      this.#check(message);
      this.#paxos.receive(from, message);
      if (this.#paxos.hasBegun) this.#startDeadline();
      return;
    }
    if (message.rank >= this.names.length) throw badMessage(`unknown rank ${message.rank}`);
    // Of two ranks that cannot see each other, the lower stays, unless the other's proposal has been accepted first:
    // others detect the death of a lower rank by themselves.
    if (message.rank === this.rank && from > this.rank) this.fail(from, false);
    else if (this.#failed.has(from) || message.rank < from || message.rank === this.rank) {
      this.#onDisputed(message.rank);
    } else this.#markFailed(message.rank, message.certain, false);
  }

  failMember(name: string, certain: boolean): void {
    const rank = this.names.indexOf(name);
    if (rank >= 0) this.fail(rank, certain);
  }

  /** This rank detected the failure of another one: informs the other members. */
  fail(rank: number, certain: boolean): void {
    const known = this.#detected.get(rank);
    if (known || known === certain || this.#hasEnded) return;
    this.#detected.set(rank, certain);
    for (const [other, name] of this.names.entries()) {
      if (other !== this.rank) {
        this.#options.send(name, { kind: "failed", epoch: this.number, rank, certain });
      }
    }
    this.#markFailed(rank, certain, true);
  }

  /** Starts the agreement on the next epoch. */
  begin(): void {
    if (this.#hasEnded) return;
    this.#paxos.begin();
    this.#startDeadline();
  }

  hasOwn({ stay }: MembershipPlan): boolean {
    return stay.includes(this.rank);
  }

  /** The next epoch has begun on this rank. */
  succeed({ world }: Epoch, survivors: readonly number[]): void {
    this.#end(survivors);
    this.#succeed({ world, survivors });
  }

  /** This rank is not in the next epoch. */
  abandon(problem: string): void {
    this.#end([]);
    this.#refuse(
      new CommunicatorError({
        tag: "RankFailed",
        mpi: "MPI_ERR_PROC_FAILED",
        problem,
        remedy: "Join the room again.",
        operation: "shrink",
        epoch: this.number,
      }),
    );
  }

  /** Throws BadMessage if a plan names unknown ranks, or a member twice. */
  #check(message: MembershipMessage): void {
    const accepted = message.kind === "promise" ? message.accepted?.plan : undefined;
    const plan = "plan" in message ? message.plan : accepted;
    if (!plan) return;
    const names = [...plan.stay.map((rank) => this.names[rank]), ...plan.join];
    const areKnown = plan.stay.every((rank) => rank < this.names.length);
    if (!areKnown || new Set(names).size < names.length) {
      throw badMessage("a plan with unknown or repeated members");
    }
  }

  /** Another member considers this rank failed: the epoch is over, whoever is right. */
  #onDisputed(rank: number): void {
    this.world.fail([rank]);
    this.#startDeadline();
  }

  #markFailed(rank: number, certain: boolean, found: boolean): void {
    this.#failed.add(rank);
    this.world.fail([rank]);
    this.#startDeadline();
    this.#paxos.onFailure(rank, certain, found);
    if (this.#options.isGuest && this.#failed.size === this.names.length - 1) this.#giveUp();
  }

  #end(survivors: readonly number[]): void {
    this.#hasEnded = true;
    this.#stopTimer?.();
    this.#paxos.stop();
    const lost =
      survivors.length === 0 ? [] : [...this.names.keys()].filter((rank) => !survivors.includes(rank));
    if (lost.length > 0) this.world.fail(lost);
    else this.world.retire();
  }

  /** A guest without anybody else does not wait for a quorum, which it could be only by itself. */
  #giveUp(): void {
    if (this.#hasEnded) return;
    this.#stopTimer?.();
    this.#stopTimer = this.#options.clock.after(0, () =>
      this.#options.onNoQuorum(`All other ranks of epoch ${this.number} have gone.`),
    );
  }

  /** From now on the ranks have limited time to agree. */
  #startDeadline(): void {
    if (this.#hasEnded) return;
    this.#stopTimer ??= this.#options.clock.after(agreementTimeoutMs, () =>
      this.#options.onNoQuorum(
        `The ranks that this one can reach are not a majority of epoch ${this.number} and may not continue without the others.`,
      ),
    );
  }
}
