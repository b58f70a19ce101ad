import type { Communicator } from "../cluster/communicator/communicator.ts";
import { add } from "../cluster/communicator/operators/elements.ts";
import { CrinkleError, describeError, fromPlainError, type PlainError } from "../core/errors.ts";
import { joined } from "./words.ts";

/** What distributed primitives need of a communicator. */
export type RankCommunicator = Pick<
  Communicator,
  "rank" | "size" | "allgather" | "alltoall" | "reduceScatter" | "revoke"
> &
  Packing;

/** A communicator that measures how long messages take to be put together. */
export interface Packing {
  packing?<T>(work: () => T): T;
}

export const packed = <T>(communicator: Packing, work: () => T): T =>
  communicator.packing ? communicator.packing(work) : work();

/** Work of this rank alone, which may fail on this rank alone. */
export type Stage<R> = () => R | Promise<R>;

type Attempt<R> = { readonly value: R } | { readonly failure: CrinkleError };

/** The first word of a message: whether words follow, or the text of a failure, a character a word. */
const [arrived, failed] = [0, 1];

/** Errors that all ranks throw. */
const agreed = new WeakSet<Error>();

export const isAgreed = (error: unknown): boolean => error instanceof Error && agreed.has(error);

/**
 * Collectives of words. Before each, every rank runs a stage of its own. If it fails on any rank, that rank sends its failure
 * instead of words, and all ranks throw the failure of the lowest of those ranks.
 */
export class Exchange {
  readonly #communicator: RankCommunicator;

  constructor(communicator: RankCommunicator) {
    this.#communicator = communicator;
  }

  /** Runs the stage; throws on all ranks if it failed on any, and releases the vectors that it made on the others. */
  async together<R>(stage: Stage<R>): Promise<R> {
    const attempt = await attempted(stage);
    const message = "failure" in attempt ? failureMessage(attempt.failure) : Uint32Array.of(arrived);
    const messages = await this.#collective(() => this.#communicator.allgather(message));
    const failure = failureIn(messages);
    if ("failure" in attempt) throw failure ?? attempt.failure;
    if (!failure) return attempt.value;
    releaseAll(attempt.value);
    throw failure;
  }

  /** What each rank's stage returns, in rank order. */
  async allgather(stage: Stage<Uint32Array>): Promise<readonly Uint32Array[]> {
    const attempt = await attempted(async () => {
      const words = await stage();
      return packed(this.#communicator, () => wordsMessage([words]));
    });
    const message = "failure" in attempt ? failureMessage(attempt.failure) : attempt.value;
    return opened(await this.#collective(() => this.#communicator.allgather(message)));
  }

  /** Sends each rank its pieces, one after the other; returns what each rank sent, in rank order. */
  async alltoall(stage: Stage<readonly (readonly Uint32Array[])[]>): Promise<readonly Uint32Array[]> {
    const attempt = await attempted(async () => {
      const pieces = await stage();
      return packed(this.#communicator, () => pieces.map(wordsMessage));
    });
    const messages =
      "failure" in attempt
        ? Array.from({ length: this.#communicator.size }, () => failureMessage(attempt.failure))
        : attempt.value;
    return opened(await this.#collective(() => this.#communicator.alltoall(messages)));
  }

  /** The sums of all ranks' words, of which rank r gets `counts[r]` after those of the ranks before. */
  async sumScatter(stage: Stage<Uint32Array>, counts: readonly number[]): Promise<Uint32Array> {
    const words = await this.together(stage);
    return this.#collective(() => this.#communicator.reduceScatter(words, counts, add));
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

/** Words behind the first. */
function wordsMessage(pieces: readonly Uint32Array[]): Uint32Array {
  const message = joined(pieces, 1);
  message[0] = arrived;
  return message;
}

function failureMessage(failure: CrinkleError): Uint32Array {
  const text = JSON.stringify(failure.toPlain());
  return joined([Uint32Array.from(text, (character) => character.charCodeAt(0))], 1).fill(failed, 0, 1);
}

/** The words of messages. Throws the first failure among them. */
function opened(messages: readonly Uint32Array[]): readonly Uint32Array[] {
  const failure = failureIn(messages);
  if (failure) throw failure;
  return messages.map((message) => message.subarray(1));
}

function failureIn(messages: readonly Uint32Array[]): CrinkleError | undefined {
  const message = messages.find(([status]) => status === failed);
  if (!message) return undefined;
  const text = Array.from(message.subarray(1), (word) => String.fromCharCode(word)).join("");
  const failure = fromPlainError(JSON.parse(text) as PlainError);
  agreed.add(failure);
  return failure;
}
