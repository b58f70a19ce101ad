import type { Primitives } from "../core/primitives/primitives.ts";
import type { RankCommunicator } from "./api.ts";
import { Exchange, type Stage } from "./exchange.ts";
import { isAgreed } from "./exchange-messages.ts";

interface Releasable {
  release(): void;
}

/**
 * This rank among others: its primitives, and the queue of what it does together with the others. Every method is one step of
 * the queue, so that collectives run in the order of calls, whether or not those are awaited.
 */
export class Ranks {
  readonly rank: number;
  readonly size: number;
  readonly local: Primitives;
  readonly exchange: Exchange;
  readonly #communicator: RankCommunicator;
  /** Functions that have worked, on operands of the types that the texts name. */
  readonly #working = new WeakMap<object, Set<string>>();
  #last: Promise<unknown> = Promise.resolve();

  constructor(communicator: RankCommunicator, local: Primitives, now: () => number) {
    this.rank = communicator.rank;
    this.size = communicator.size;
    this.local = local;
    this.#communicator = communicator;
    this.exchange = new Exchange(communicator, now);
  }

  /** Runs after all earlier steps. What the step holds is released at its end. */
  run<R>(body: (step: Step) => Promise<R>): Promise<R> {
    const result = this.#last.then(async () => {
      const step = new Step(this);
      try {
        return await body(step);
      } catch (error) {
        // Others would wait for this rank forever.
        if (!isAgreed(error)) this.#communicator.revoke();
        throw error;
      } finally {
        step.end();
      }
    });
    this.#last = result.catch(() => {});
    return result;
  }

  /**
   * Runs a function of the caller's on this rank's elements; undefined where it fails: see `Exchange.alone`. The first time all ranks
   * learn of a failure at once, because the text may be none.
   */
  async apply<R>(f: object, types: string, stage: Stage<R>): Promise<R | undefined> {
    const working = this.#working.get(f);
    if (working?.has(types)) return this.exchange.alone(stage);
    const made = await this.exchange.together(stage);
    this.#working.set(f, (working ?? new Set()).add(types));
    return made;
  }

  /** Runs work of this rank alone after all earlier steps. */
  afterwards(work: () => void): void {
    this.#last = this.#last.then(work);
  }
}

/** What one method does, together with the other ranks. */
export class Step {
  readonly ranks: Ranks;
  readonly rank: number;
  readonly size: number;
  readonly local: Primitives;
  readonly exchange: Exchange;
  readonly #held: Releasable[] = [];

  constructor(ranks: Ranks) {
    this.ranks = ranks;
    this.rank = ranks.rank;
    this.size = ranks.size;
    this.local = ranks.local;
    this.exchange = ranks.exchange;
  }

  /** Releases it at the end of the step. */
  hold<R extends Releasable>(held: R): R {
    this.#held.push(held);
    return held;
  }

  end(): void {
    for (const held of this.#held.splice(0)) held.release();
  }
}
