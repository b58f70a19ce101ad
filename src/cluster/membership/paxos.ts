import type { Clock } from "../clock.ts";
import type { AcceptedProposal, MembershipMessage, MembershipPlan } from "./membership-message.ts";

export interface PaxosOptions {
  readonly rank: number;
  readonly size: number;
  readonly epoch: number;
  readonly clock: Clock;
  send(to: number, message: MembershipMessage): void;
  /** Names of members that wait to join, queried for each proposal. */
  joining(): readonly string[];
  /** Called once with the members of the next epoch. */
  onDecided(plan: MembershipPlan): void;
}

/** Milliseconds before a proposal without an answer is repeated with a higher ballot. */
const proposalTimeoutMs = 400;

/** Milliseconds by which each rank lets the ranks below it propose first. */
const staggerMs = 50;

/**
 * The ranks of an epoch agree on the members of the next by single-decree Paxos (L. Lamport, “Paxos made
 * simple”, 2001). The lowest rank that has not failed proposes the remaining ranks; a proposer that takes
 * over continues with what was accepted. A quorum is more than half of the ranks that are not certainly
 * dead, or half of them with the lowest, so that two halves that cannot see each other never both continue.
 * Failures are never revoked: a rank that seemed to have failed is left out even if it was alive.
 */
export class Paxos {
  readonly #options: PaxosOptions;
  /** Ranks considered failed; true if they cannot come back. */
  readonly #failed = new Map<number, boolean>();
  /** Those that this rank detected itself. */
  readonly #detected = new Set<number>();
  #promised = -1;
  #accepted: AcceptedProposal | null = null;
  #decision: MembershipPlan | undefined;
  #round = 0;
  #proposal: Proposal | undefined;
  #stopTimer = () => {};

  constructor(parts: PaxosOptions) {
    this.#options = parts;
  }

  get decision(): MembershipPlan | undefined {
    return this.#decision;
  }

  /**
   * Records a failure, which this rank `found` itself or learned from others, and proposes if it is this
   * rank's turn.
   */
  onFailure(rank: number, certain: boolean, found: boolean): void {
    if (found) this.#detected.add(rank);
    if (this.#failed.get(rank) || (this.#failed.has(rank) && !certain)) return;
    this.#failed.set(rank, certain);
    this.#proposeIfLowest();
  }

  /**
   * Starts an agreement even if nobody has failed: lower ranks propose first, unless somebody already has.
   */
  begin(): void {
    const { clock, rank } = this.#options;
    if (this.#promised >= 0 || this.#decision) return;
    this.#stopTimer();
    this.#stopTimer = clock.after(rank * staggerMs, () => {
      if (this.#promised < 0) this.#propose();
    });
  }

  /** Whether anybody has proposed. */
  get hasBegun(): boolean {
    return this.#promised >= 0 || this.#decision !== undefined;
  }

  receive(from: number, message: MembershipMessage): void {
    if (message.kind === "decided") {
      this.#decide(message.plan);
      return;
    }
    if (this.#decision && (message.kind === "prepare" || message.kind === "accept")) {
      this.#send(from, { kind: "decided", epoch: this.#options.epoch, plan: this.#decision });
      return;
    }
    switch (message.kind) {
      case "prepare":
        this.#onPrepare(from, message.ballot);
        return;
      case "accept":
        this.#onAccept(from, message.ballot, message.plan);
        return;
      case "promise":
        this.#onPromise(from, message.ballot, message.failed, message.accepted);
        return;
      case "accepted":
        this.#onAccepted(from, message.ballot);
        return;
      case "nack":
        this.#round = Math.max(this.#round, Math.floor(message.ballot / this.#options.size) + 1);
        return;
    }
  }

  /** Makes no more proposals. */
  stop(): void {
    this.#stopTimer();
    this.#proposal = undefined;
  }

  #proposeIfLowest(): void {
    const { rank } = this.#options;
    if (this.#decision) return;
    for (let lower = 0; lower < rank; lower++) if (!this.#failed.has(lower)) return;
    this.#propose();
  }

  #propose(): void {
    const { rank, size } = this.#options;
    const ballot = this.#round++ * size + rank;
    this.#proposal = { ballot, promises: new Set(), accepts: new Set(), best: null, plan: undefined };
    this.#broadcast({ kind: "prepare", epoch: this.#options.epoch, ballot });
    this.#stopTimer();
    this.#stopTimer = this.#options.clock.after(proposalTimeoutMs * (1 + Math.min(this.#round, 8) / 4), () =>
      this.#proposeIfLowest(),
    );
  }

  #onPrepare(from: number, ballot: number): void {
    const { epoch } = this.#options;
    if (ballot <= this.#promised) {
      this.#send(from, { kind: "nack", epoch, ballot: this.#promised });
      return;
    }
    this.#promised = ballot;
    const failed = [...this.#detected].toSorted((a, b) => a - b);
    this.#send(from, { kind: "promise", epoch, ballot, failed, accepted: this.#accepted });
  }

  #onPromise(
    from: number,
    ballot: number,
    failed: readonly number[],
    accepted: AcceptedProposal | null,
  ): void {
    const proposal = this.#proposal;
    if (proposal?.ballot !== ballot || proposal.plan) return;
    // Of two ranks that cannot see each other, a lower proposer keeps itself. Ignores reports from ranks that are themselves
    // left out.
    for (const rank of this.#failed.has(from) ? [] : failed) {
      if (rank > from && rank !== this.#options.rank && !this.#failed.has(rank))
        this.#failed.set(rank, false);
    }
    proposal.promises.add(from);
    if (accepted && accepted.ballot > (proposal.best?.ballot ?? -1)) proposal.best = accepted;
    if (!this.#isQuorum(proposal.promises)) return;
    const { size, epoch, joining } = this.#options;
    const stay = Array.from({ length: size }, (_, rank) => rank).filter((rank) => !this.#failed.has(rank));
    proposal.plan = proposal.best?.plan ?? { stay, join: joining() };
    this.#broadcast({ kind: "accept", epoch, ballot, plan: proposal.plan });
  }

  #onAccept(from: number, ballot: number, plan: MembershipPlan): void {
    const { epoch } = this.#options;
    if (ballot < this.#promised) {
      this.#send(from, { kind: "nack", epoch, ballot: this.#promised });
      return;
    }
    this.#promised = ballot;
    this.#accepted = { ballot, plan };
    this.#send(from, { kind: "accepted", epoch, ballot });
  }

  #onAccepted(from: number, ballot: number): void {
    const proposal = this.#proposal;
    if (proposal?.ballot !== ballot || !proposal.plan) return;
    proposal.accepts.add(from);
    if (this.#isQuorum(proposal.accepts)) this.#decide(proposal.plan);
  }

  #decide(plan: MembershipPlan): void {
    if (this.#decision) return;
    this.#decision = plan;
    this.stop();
    // Everybody repeats the decision to all others, so that it survives the one who learned it first.
    this.#broadcast({ kind: "decided", epoch: this.#options.epoch, plan });
    this.#options.onDecided(plan);
  }

  /**
   * All ranks that have not failed, and, of those that are not certainly dead, more than half, or half with
   * the lowest. Because every reachable rank must answer, a proposal cannot miss what a rank accepted from
   * one that has died since.
   */
  #isQuorum(agreeing: ReadonlySet<number>): boolean {
    const ranks = Array.from({ length: this.#options.size }, (_, rank) => rank);
    if (ranks.some((rank) => !this.#failed.has(rank) && !agreeing.has(rank))) return false;
    const possible = ranks.filter((rank) => !this.#failed.get(rank));
    const count = possible.filter((rank) => agreeing.has(rank)).length;
    return count * 2 > possible.length || (count * 2 === possible.length && agreeing.has(possible[0]));
  }

  #broadcast(message: MembershipMessage): void {
    for (let rank = 0; rank < this.#options.size; rank++) this.#send(rank, message);
  }

  #send(to: number, message: MembershipMessage): void {
    if (to === this.#options.rank) this.receive(to, message);
    else this.#options.send(to, message);
  }
}

interface Proposal {
  readonly ballot: number;
  readonly promises: Set<number>;
  readonly accepts: Set<number>;
  best: AcceptedProposal | null;
  plan: MembershipPlan | undefined;
}
