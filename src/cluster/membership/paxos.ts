import type { Clock } from "../clock.ts";
import type { AcceptedProposal, MembershipMessage, MembershipPlan } from "./membership-message.ts";

export interface PaxosOptions {
  readonly rank: number;
  readonly size: number;
  readonly epoch: number;
  readonly clock: Clock;
  send(to: number, notice: MembershipMessage): void;
  /** Members that wait to join, by their names: asked when a proposal is made. */
  joining(): readonly string[];
  /** Once: who makes the next epoch. */
  onDecided(plan: MembershipPlan): void;
}

/** Milliseconds after which a proposal without an answer is made again, with a higher ballot. */
const proposalTimeoutMs = 400;

/** Milliseconds that each rank leaves those below it to propose first. */
const staggerMs = 50;

/**
 * How the ranks of an epoch agree on those of the next: Paxos for one value (L. Lamport, “Paxos made simple”, 2001). The
 * lowest rank that has not failed proposes the others; who takes over from it goes on with what was accepted. A
 * proposal needs more than half of the ranks that are not certainly dead, or half with the lowest of them, so that two
 * halves that cannot see each other do not both go on. Failures that are taken back by nobody: a rank that seemed to
 * have failed is left out even if it was alive.
 */
export class Paxos {
  readonly #options: PaxosOptions;
  /** Ranks taken for failed; true where they cannot come back. */
  readonly #failed = new Map<number, boolean>();
  /** Those that this rank found out itself. */
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

  /** Learns of a failure, which it may have `found` itself, and proposes where that is this rank's turn. */
  fail(rank: number, certain: boolean, found: boolean): void {
    if (found) this.#detected.add(rank);
    if (this.#failed.get(rank) || (this.#failed.has(rank) && !certain)) return;
    this.#failed.set(rank, certain);
    this.#proposeIfLowest();
  }

  /** Goes on to the next epoch though nobody may have failed: lower ranks first, unless another proposes. */
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

  receive(from: number, notice: MembershipMessage): void {
    if (notice.kind === "decided") {
      this.#decide(notice.plan);
      return;
    }
    if (this.#decision && (notice.kind === "prepare" || notice.kind === "accept")) {
      this.#send(from, { kind: "decided", epoch: this.#options.epoch, plan: this.#decision });
      return;
    }
    switch (notice.kind) {
      case "prepare":
        this.#onPrepare(from, notice.ballot);
        return;
      case "accept":
        this.#onAccept(from, notice.ballot, notice.plan);
        return;
      case "promise":
        this.#onPromise(from, notice.ballot, notice.failed, notice.accepted);
        return;
      case "accepted":
        this.#onAccepted(from, notice.ballot);
        return;
      case "nack":
        this.#round = Math.max(this.#round, Math.floor(notice.ballot / this.#options.size) + 1);
        return;
    }
  }

  /** No more proposals. */
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
    // Of two that cannot see each other the lower stays. What those say who are left out themselves does not count.
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
    // Each tells all others: who learned it must not be the only one to die with it.
    this.#broadcast({ kind: "decided", epoch: this.#options.epoch, plan });
    this.#options.onDecided(plan);
  }

  /**
   * All that have not failed, and of those that are not certainly dead more than half, or half with the lowest. That all
   * answer who can is what binds a proposal to what a rank accepted of one that is dead by now.
   */
  #isQuorum(agreeing: ReadonlySet<number>): boolean {
    const ranks = Array.from({ length: this.#options.size }, (_, rank) => rank);
    if (ranks.some((rank) => !this.#failed.has(rank) && !agreeing.has(rank))) return false;
    const possible = ranks.filter((rank) => !this.#failed.get(rank));
    const count = possible.filter((rank) => agreeing.has(rank)).length;
    return count * 2 > possible.length || (count * 2 === possible.length && agreeing.has(possible[0]));
  }

  #broadcast(notice: MembershipMessage): void {
    for (let rank = 0; rank < this.#options.size; rank++) this.#send(rank, notice);
  }

  #send(to: number, notice: MembershipMessage): void {
    if (to === this.#options.rank) this.receive(to, notice);
    else this.#options.send(to, notice);
  }
}

interface Proposal {
  readonly ballot: number;
  readonly promises: Set<number>;
  readonly accepts: Set<number>;
  best: AcceptedProposal | null;
  plan: MembershipPlan | undefined;
}
