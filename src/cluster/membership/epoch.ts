import type { Clock } from "../clock.ts";
import type { Tuning } from "../communicator/collectives/tuning.ts";
import { CommunicatorError } from "../communicator/errors.ts";
import { type Succession, World } from "../communicator/world.ts";
import type { Announced, Link, Message } from "../transport/link.ts";
import { malformed } from "../wire/frame.ts";
import { Agreement } from "./agreement.ts";
import type { Notice, Plan } from "./notice.ts";

/** Milliseconds within which the ranks that are left have to agree. */
const agreementTime = 15_000;

export interface EpochParts {
  readonly number: number;
  /** Members by rank. */
  readonly names: readonly string[];
  readonly own: string;
  /** By rank; the own one has none. */
  readonly links: readonly (Link | undefined)[];
  readonly clock: Clock;
  readonly tuning: Tuning;
  /** Members that wait to join. */
  joining(): readonly string[];
  tell(name: string, notice: Notice): void;
  decided(plan: Plan): void;
  /** The ranks that are left could not agree. */
  givenUp(problem: string): void;
}

/** From the moment at which its members are agreed on until the next is: their world, and who of them has failed. */
export class Epoch {
  readonly number: number;
  readonly names: readonly string[];
  readonly rank: number;
  readonly world: World;
  readonly #parts: EpochParts;
  readonly #agreement: Agreement;
  /** Ranks that this one takes for failed; those of them that it found out itself, and whether for certain. */
  readonly #failed = new Set<number>();
  readonly #found = new Map<number, boolean>();
  readonly #succession: Promise<Succession>;
  #succeed: (next: Succession) => void = () => {};
  #refuse: (error: CommunicatorError) => void = () => {};
  #stopTimer: (() => void) | undefined;
  #hasEnded = false;

  constructor(parts: EpochParts) {
    const { number, names, own, links, clock, tuning } = parts;
    this.#parts = parts;
    this.number = number;
    this.names = names;
    this.rank = names.indexOf(own);
    this.#succession = new Promise((resolve, reject) => {
      this.#succeed = resolve;
      this.#refuse = reject;
    });
    this.#succession.catch(() => {});
    this.#agreement = new Agreement({
      rank: this.rank,
      size: names.length,
      epoch: number,
      clock,
      send: (to, notice) => parts.tell(names[to], notice),
      joining: parts.joining,
      decided: parts.decided,
    });
    const next = () => {
      this.begin();
      return this.#succession;
    };
    this.world = new World({ rank: this.rank, links, epoch: number, tuning, next });
  }

  receive(name: string, message: Message): void {
    const from = this.names.indexOf(name);
    if (from < 0) throw malformed("is of an epoch that its sender does not belong to");
    this.world.receive(from, message);
  }

  memory(name: string, message: Announced): Uint8Array | null | undefined {
    const from = this.names.indexOf(name);
    if (from < 0) throw malformed("is of an epoch that its sender does not belong to");
    return this.world.memory(from, message);
  }

  notice(name: string, notice: Exclude<Notice, { kind: "beat" | "leaving" }>): void {
    const from = this.names.indexOf(name);
    if (from < 0) throw malformed("is of an epoch that its sender does not belong to");
    if (this.#hasEnded) return;
    if (notice.kind !== "failed") {
      this.#check(notice);
      this.#agreement.receive(from, notice);
      if (this.#agreement.hasBegun) this.#over();
      return;
    }
    if (notice.rank >= this.names.length)
      throw malformed(`speaks of rank ${notice.rank}, which there is not`);
    // Of two that cannot see each other the lower stays: others find out by themselves that a lower rank is dead.
    if (notice.rank === this.rank && from > this.rank) this.fail(from, false);
    else if (this.#failed.has(from) || notice.rank < from || notice.rank === this.rank) {
      this.#doubt(notice.rank);
    } else this.#take(notice.rank, notice.certain, false);
  }

  failMember(name: string, certain: boolean): void {
    const rank = this.names.indexOf(name);
    if (rank >= 0) this.fail(rank, certain);
  }

  /** This rank has found out that another failed: it tells the others. */
  fail(rank: number, certain: boolean): void {
    const known = this.#found.get(rank);
    if (known || known === certain || this.#hasEnded) return;
    this.#found.set(rank, certain);
    for (const [other, name] of this.names.entries()) {
      if (other !== this.rank) {
        this.#parts.tell(name, { kind: "failed", epoch: this.number, rank, certain });
      }
    }
    this.#take(rank, certain, true);
  }

  /** Goes on to the next epoch. */
  begin(): void {
    if (this.#hasEnded) return;
    this.#agreement.begin();
    this.#over();
  }

  hasOwn({ stay }: Plan): boolean {
    return stay.includes(this.rank);
  }

  /** The next epoch has begun here. */
  succeed({ world }: Epoch, survivors: readonly number[]): void {
    this.#end(survivors);
    this.#succeed({ world, survivors });
  }

  /** There is no next epoch for this rank. */
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

  /** Throws BadMessage where a plan names ranks that there are not, or somebody twice. */
  #check(notice: Notice): void {
    const accepted = notice.kind === "promise" ? notice.accepted?.plan : undefined;
    const plan = "plan" in notice ? notice.plan : accepted;
    if (!plan) return;
    const names = [...plan.stay.map((rank) => this.names[rank]), ...plan.join];
    const areKnown = plan.stay.every((rank) => rank < this.names.length);
    if (!areKnown || new Set(names).size < names.length) {
      throw malformed("plans an epoch of ranks that there are not");
    }
  }

  /** Somebody takes this rank for failed: the epoch is over, whoever is right. */
  #doubt(rank: number): void {
    this.world.fail([rank]);
    this.#over();
  }

  #take(rank: number, certain: boolean, found: boolean): void {
    this.#failed.add(rank);
    this.world.fail([rank]);
    this.#over();
    this.#agreement.fail(rank, certain, found);
  }

  #end(survivors: readonly number[]): void {
    this.#hasEnded = true;
    this.#stopTimer?.();
    this.#agreement.stop();
    const lost =
      survivors.length === 0 ? [] : [...this.names.keys()].filter((rank) => !survivors.includes(rank));
    if (lost.length > 0) this.world.fail(lost);
    else this.world.retire();
  }

  /** The ranks have to agree from now on. */
  #over(): void {
    if (this.#hasEnded) return;
    this.#stopTimer ??= this.#parts.clock.after(agreementTime, () =>
      this.#parts.givenUp(
        `The ranks that this one sees are no majority of epoch ${this.number}, and may not go on without the others.`,
      ),
    );
  }
}
