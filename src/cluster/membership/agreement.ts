import type { Clock } from "../clock.ts";
import type { Accepted, Notice, Plan } from "./notice.ts";

export interface AgreementParts {
  readonly rank: number;
  readonly size: number;
  readonly epoch: number;
  readonly clock: Clock;
  send(to: number, notice: Notice): void;
  /** Members that wait to join, by their names: asked when a proposal is made. */
  joining(): readonly string[];
  /** Once: who makes the next epoch. */
  decided(plan: Plan): void;
}

/** Milliseconds after which a proposal without an answer is made again, with a higher ballot. */
const patience = 400;

/** Milliseconds that each rank leaves those below it to propose first. */
const turn = 50;

/**
 * How the ranks of an epoch agree on those of the next: Paxos for one value (L. Lamport, “Paxos made simple”, 2001). The
 * lowest rank that has not failed proposes the others; who takes over from it goes on with what was accepted. A
 * proposal needs more than half of the ranks that are not certainly dead, or half with the lowest of them, so that two
 * halves that cannot see each other do not both go on. Failures that are taken back by nobody: a rank that seemed to
 * have failed is left out even if it was alive.
 */
export class Agreement {
  readonly #parts: AgreementParts;
  /** Ranks taken for failed; true where they cannot come back. */
  readonly #failed = new Map<number, boolean>();
  /** Those that this rank found out itself. */
  readonly #found = new Set<number>();
  #promised = -1;
  #accepted: Accepted | null = null;
  #decision: Plan | undefined;
  #round = 0;
  #proposal: Proposal | undefined;
  #stopTimer = () => {};

  constructor(parts: AgreementParts) {
    this.#parts = parts;
  }

  get decision(): Plan | undefined {
    return this.#decision;
  }

  /** Learns of a failure, which it may have `found` itself, and proposes where that is this rank's turn. */
  fail(rank: number, certain: boolean, found: boolean): void {
    if (found) this.#found.add(rank);
    if (this.#failed.get(rank) || (this.#failed.has(rank) && !certain)) return;
    this.#failed.set(rank, certain);
    this.#takeTurn();
  }

  /** Goes on to the next epoch though nobody may have failed: lower ranks first, unless another proposes. */
  begin(): void {
    const { clock, rank } = this.#parts;
    if (this.#promised >= 0 || this.#decision) return;
    this.#stopTimer();
    this.#stopTimer = clock.after(rank * turn, () => {
      if (this.#promised < 0) this.#propose();
    });
  }

  /** Whether anybody has proposed. */
  get hasBegun(): boolean {
    return this.#promised >= 0 || this.#decision !== undefined;
  }

  receive(from: number, notice: Notice): void {
    if (notice.kind === "decided") {
      this.#decide(notice.plan);
      return;
    }
    if (this.#decision && (notice.kind === "prepare" || notice.kind === "accept")) {
      this.#tell(from, { kind: "decided", epoch: this.#parts.epoch, plan: this.#decision });
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
      case "outbid":
        this.#round = Math.max(this.#round, Math.floor(notice.ballot / this.#parts.size) + 1);
        return;
    }
  }

  /** No more proposals. */
  stop(): void {
    this.#stopTimer();
    this.#proposal = undefined;
  }

  #takeTurn(): void {
    const { rank } = this.#parts;
    if (this.#decision) return;
    for (let lower = 0; lower < rank; lower++) if (!this.#failed.has(lower)) return;
    this.#propose();
  }

  #propose(): void {
    const { rank, size } = this.#parts;
    const ballot = this.#round++ * size + rank;
    this.#proposal = { ballot, promises: new Set(), accepts: new Set(), best: null, plan: undefined };
    this.#toAll({ kind: "prepare", epoch: this.#parts.epoch, ballot });
    this.#stopTimer();
    this.#stopTimer = this.#parts.clock.after(patience * (1 + Math.min(this.#round, 8) / 4), () =>
      this.#takeTurn(),
    );
  }

  #onPrepare(from: number, ballot: number): void {
    const { epoch } = this.#parts;
    if (ballot <= this.#promised) {
      this.#tell(from, { kind: "outbid", epoch, ballot: this.#promised });
      return;
    }
    this.#promised = ballot;
    const failed = [...this.#found].toSorted((a, b) => a - b);
    this.#tell(from, { kind: "promise", epoch, ballot, failed, accepted: this.#accepted });
  }

  #onPromise(from: number, ballot: number, failed: readonly number[], accepted: Accepted | null): void {
    const proposal = this.#proposal;
    if (proposal?.ballot !== ballot || proposal.plan) return;
    // Of two that cannot see each other the lower stays. What those say who are left out themselves does not count.
    for (const rank of this.#failed.has(from) ? [] : failed) {
      if (rank > from && rank !== this.#parts.rank && !this.#failed.has(rank)) this.#failed.set(rank, false);
    }
    proposal.promises.add(from);
    if (accepted && accepted.ballot > (proposal.best?.ballot ?? -1)) proposal.best = accepted;
    if (!this.#isQuorum(proposal.promises)) return;
    const { size, epoch, joining } = this.#parts;
    const stay = Array.from({ length: size }, (_, rank) => rank).filter((rank) => !this.#failed.has(rank));
    proposal.plan = proposal.best?.plan ?? { stay, join: joining() };
    this.#toAll({ kind: "accept", epoch, ballot, plan: proposal.plan });
  }

  #onAccept(from: number, ballot: number, plan: Plan): void {
    const { epoch } = this.#parts;
    if (ballot < this.#promised) {
      this.#tell(from, { kind: "outbid", epoch, ballot: this.#promised });
      return;
    }
    this.#promised = ballot;
    this.#accepted = { ballot, plan };
    this.#tell(from, { kind: "accepted", epoch, ballot });
  }

  #onAccepted(from: number, ballot: number): void {
    const proposal = this.#proposal;
    if (proposal?.ballot !== ballot || !proposal.plan) return;
    proposal.accepts.add(from);
    if (this.#isQuorum(proposal.accepts)) this.#decide(proposal.plan);
  }

  #decide(plan: Plan): void {
    if (this.#decision) return;
    this.#decision = plan;
    this.stop();
    // Each tells all others: who learned it must not be the only one to die with it.
    this.#toAll({ kind: "decided", epoch: this.#parts.epoch, plan });
    this.#parts.decided(plan);
  }

  /**
   * All that have not failed, and of those that are not certainly dead more than half, or half with the lowest. That all
   * answer who can is what binds a proposal to what a rank accepted of one that is dead by now.
   */
  #isQuorum(agreeing: ReadonlySet<number>): boolean {
    const ranks = Array.from({ length: this.#parts.size }, (_, rank) => rank);
    if (ranks.some((rank) => !this.#failed.has(rank) && !agreeing.has(rank))) return false;
    const possible = ranks.filter((rank) => !this.#failed.get(rank));
    const count = possible.filter((rank) => agreeing.has(rank)).length;
    return count * 2 > possible.length || (count * 2 === possible.length && agreeing.has(possible[0]));
  }

  #toAll(notice: Notice): void {
    for (let rank = 0; rank < this.#parts.size; rank++) this.#tell(rank, notice);
  }

  #tell(to: number, notice: Notice): void {
    if (to === this.#parts.rank) this.receive(to, notice);
    else this.#parts.send(to, notice);
  }
}

interface Proposal {
  readonly ballot: number;
  readonly promises: Set<number>;
  readonly accepts: Set<number>;
  best: Accepted | null;
  plan: Plan | undefined;
}
