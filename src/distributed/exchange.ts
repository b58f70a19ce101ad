import { add } from "../cluster/communicator/operators/elements.ts";
import { CrinkleError, describeError } from "../core/errors.ts";
import type { Packing, RankCommunicator } from "./api.ts";
import {
  agreed,
  arrived,
  type Failed,
  failed,
  failedEarlier,
  failureMessage,
  lowestFailure,
  type MadeFailure,
  wordsMessage,
} from "./exchange-messages.ts";

export const packed = <T>(communicator: Packing, work: () => T): T =>
  communicator.packing ? communicator.packing(work) : work();

/** Work of this rank alone, which may fail on this rank alone. */
export type Stage<R> = () => R | Promise<R>;

/** Of messages to some ranks. */
const haloTag = 0;

type Attempt<R> = { readonly value: R } | Failed;

/** What a rank makes without the others, who do not know yet whether it failed. */
export interface Fallible {
  /** Some rank has failed, in this or in something else that it made before it. */
  fail(failure: CrinkleError): void;
}

/**
 * Collectives of words. Before each, every rank runs a stage of its own. If it fails on any rank, that rank sends its failure
 * instead of words, and all ranks throw the failure of the lowest of those ranks. What a rank does between collectives, without the
 * others or with some of them, may fail as well: it then does nothing more, nor do those that wait for its words, and they report
 * that failure in the next collective.
 */
export class Exchange {
  readonly #communicator: RankCommunicator;
  /** This rank's failure of which the others do not know yet. */
  #unreported: MadeFailure | undefined;
  /** What ranks have made since the last collective, with how much they had made before. */
  readonly #unconfirmed = new Map<Fallible, number>();
  #made = 0;
  readonly #now: () => number;
  #ms = 0;

  constructor(communicator: RankCommunicator, now: () => number) {
    this.#communicator = communicator;
    this.#now = now;
  }

  /** Milliseconds that this rank's stages have taken since the last call. */
  takeMs(): number {
    const ms = this.#ms;
    this.#ms = 0;
    return ms;
  }

  /** Whether this rank has failed, and only waits for the next collective. */
  get isFailing(): boolean {
    return this.#unreported !== undefined;
  }

  /**
   * Runs the stage without the others; undefined if it fails, or if one before has. The next collective reports that, and
   * throws on all ranks. With one rank alone, the failure is thrown at once.
   */
  async alone<R>(stage: Stage<R>): Promise<R | undefined> {
    if (this.#unreported) return undefined;
    if (this.#communicator.size === 1) return onOneRank(stage);
    const attempt = await this.#timed(stage);
    if ("value" in attempt) return attempt.value;
    this.#unreported = this.#failureMade(attempt);
    return undefined;
  }

  /**
   * Sends words to some ranks, and returns those that some send this one, in the order of `from`: all ranks know who sends to
   * whom. Undefined where this rank or one that it waits for has failed, which the next collective reports.
   */
  async toSome(
    to: readonly number[],
    from: readonly number[],
    stage: Stage<readonly Uint32Array[]>,
  ): Promise<readonly Uint32Array[] | undefined> {
    const attempt = await this.#attempt(async () => {
      const pieces = await stage();
      return packed(this.#communicator, () => pieces.map((piece) => wordsMessage([piece])));
    });
    if ("failure" in attempt) this.#unreported ??= this.#failureMade(attempt);
    const own = "failure" in attempt ? [this.#mark(attempt)] : [];
    const sent = "failure" in attempt ? to.map(() => own[0]) : attempt.value;
    const sends = to.map((other, k) => this.#communicator.send(other, sent[k], haloTag));
    const messages = await this.#collective(async () => {
      const received = from.map((other) => this.#communicator.recv<Uint32Array>(other, haloTag));
      const [arrivals] = await Promise.all([Promise.all(received), Promise.all(sends)]);
      return arrivals.map(({ data }) => data);
    });
    this.#unreported = lowestFailure([...own, ...messages]);
    return this.#unreported ? undefined : messages.map((message) => message.subarray(1));
  }

  /** Has it fail if the next collective reports a failure of any rank. */
  awaitConfirmation(made: Fallible): void {
    if (this.#communicator.size > 1) this.#unconfirmed.set(made, this.#made++);
  }

  /** Forgets what has been released meanwhile. */
  forget(made: Fallible): void {
    this.#unconfirmed.delete(made);
  }

  /** Runs the stage; throws on all ranks if it failed on any, and releases the vectors that it made on the others. */
  async together<R>(stage: Stage<R>): Promise<R> {
    if (this.#communicator.size === 1) return onOneRank(stage);
    const attempt = await this.#attempt(stage);
    const message = "failure" in attempt ? this.#mark(attempt) : Uint32Array.of(arrived);
    const messages = await this.#collective(() => this.#communicator.allgather(message));
    const failure = this.#failureIn(messages);
    if ("failure" in attempt) throw failure ?? attempt.failure;
    if (!failure) return attempt.value;
    releaseAll(attempt.value);
    throw failure;
  }

  /** What each rank's stage returns, in rank order. */
  async allgather(stage: Stage<Uint32Array>): Promise<readonly Uint32Array[]> {
    if (this.#communicator.size === 1) return [await onOneRank(stage)];
    const attempt = await this.#attempt(async () => {
      const words = await stage();
      return packed(this.#communicator, () => wordsMessage([words]));
    });
    const message = "failure" in attempt ? this.#mark(attempt) : attempt.value;
    return this.#opened(await this.#collective(() => this.#communicator.allgather(message)));
  }

  /** Sends each rank its pieces, one after the other; returns what each rank sent, in rank order. */
  async alltoall(stage: Stage<readonly (readonly Uint32Array[])[]>): Promise<readonly Uint32Array[]> {
    const attempt = await this.#attempt(async () => {
      const pieces = await stage();
      return packed(this.#communicator, () => pieces.map(wordsMessage));
    });
    const messages =
      "failure" in attempt
        ? Array.from({ length: this.#communicator.size }, () => this.#mark(attempt))
        : attempt.value;
    return this.#opened(await this.#collective(() => this.#communicator.alltoall(messages)));
  }

  /** The sums of all ranks' words, of which rank r gets `counts[r]` after those of the ranks before. */
  async sumScatter(stage: Stage<Uint32Array>, counts: readonly number[]): Promise<Uint32Array> {
    const words = await this.together(stage);
    return this.#collective(() => this.#communicator.reduceScatter(words, counts, add));
  }

  async #attempt<R>(stage: Stage<R>): Promise<Attempt<R>> {
    return this.#unreported ?? this.#timed(stage);
  }

  /** A failure of this rank's, now. */
  #failureMade({ failure }: Failed): MadeFailure {
    return { failure, origin: this.#communicator.rank, at: this.#made };
  }

  #mark(attempt: Failed): Uint32Array {
    return this.#unreported
      ? failureMessage(failedEarlier, this.#unreported)
      : failureMessage(failed, this.#failureMade(attempt));
  }

  async #timed<R>(stage: Stage<R>): Promise<Attempt<R>> {
    const start = this.#now();
    const attempt = await attempted(stage);
    this.#ms += this.#now() - start;
    return attempt;
  }

  /** The words of messages. Throws the first failure among them. */
  #opened(messages: readonly Uint32Array[]): readonly Uint32Array[] {
    const failure = this.#failureIn(messages);
    if (failure) throw failure;
    return messages.map((message) => message.subarray(1));
  }

  /** The first failure in messages of all ranks, which all of them now know. */
  #failureIn(messages: readonly Uint32Array[]): CrinkleError | undefined {
    const earlier = lowestFailure(messages.filter(([status]) => status === failedEarlier));
    if (earlier) for (const [made, at] of this.#unconfirmed) if (at >= earlier.at) made.fail(earlier.failure);
    this.#unconfirmed.clear();
    this.#made = 0;
    this.#unreported = undefined;
    return lowestFailure(messages)?.failure;
  }

  /** Communicators reject on all ranks. */
  async #collective<R>(call: () => Promise<R>): Promise<R> {
    try {
      return await call();
    } catch (error) {
      if (error instanceof Error) agreed.add(error);
      throw error;
    }
  }
}

/** Releases a vector, or those of a record. */
function releaseAll(made: unknown): void {
  if (typeof made !== "object" || made === null) return;
  if ("release" in made && typeof made.release === "function") made.release();
  else if (!ArrayBuffer.isView(made)) for (const value of Object.values(made)) releaseAll(value);
}

/** What one rank throws, all throw. */
async function onOneRank<R>(stage: Stage<R>): Promise<R> {
  const attempt = await attempted(stage);
  if ("value" in attempt) return attempt.value;
  agreed.add(attempt.failure);
  throw attempt.failure;
}

async function attempted<R>(stage: Stage<R>): Promise<Attempt<R>> {
  try {
    return { value: await stage() };
  } catch (error) {
    return { failure: failureOf(error) };
  }
}

function failureOf(error: unknown): CrinkleError {
  if (error instanceof CrinkleError) return error;
  // Engines throw it where a typed array finds no memory.
  if (error instanceof RangeError) {
    return new CrinkleError({
      tag: "OutOfMemory",
      problem: `A rank has no room for what ranks exchange: ${error.message}.`,
      remedy: "Release vectors, or work on parts of them.",
      cause: error,
    });
  }
  return new CrinkleError({ tag: "Internal", problem: describeError(error), cause: error });
}
