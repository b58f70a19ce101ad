import { type CrinkleError, fromPlainError, type PlainError } from "../core/errors.ts";
import { joined } from "./words.ts";

export interface Failed {
  readonly failure: CrinkleError;
}

/** A failure as others hear of it. */
export interface MadeFailure extends Failed {
  /** The rank that met it. */
  readonly origin: number;
  /** How much the ranks had made before it without meeting: what they made after it has failed, too. */
  readonly at: number;
}

/**
 * The first word of a message: whether words follow; or the rank that failed, how much had been made before, and the failure's text, a
 * character a word.
 */
export const [arrived, failed, failedEarlier] = [0, 1, 2];

/** Errors that all ranks throw. */
export const agreed = new WeakSet<Error>();

export const isAgreed = (error: unknown): boolean => error instanceof Error && agreed.has(error);

/** Words behind the first. */
export function wordsMessage(pieces: readonly Uint32Array[]): Uint32Array {
  const message = joined(pieces, 1);
  message[0] = arrived;
  return message;
}

export function failureMessage(status: number, { failure, origin, at }: MadeFailure): Uint32Array {
  const text = JSON.stringify(failure.toPlain());
  const message = joined([Uint32Array.from(text, (character) => character.charCodeAt(0))], 3);
  message.set([status, origin, at]);
  return message;
}

/** Of the failures in messages that of the lowest rank, with the least that had been made before any of them. */
export function lowestFailure(messages: readonly Uint32Array[]): MadeFailure | undefined {
  const failures = messages.filter(([status]) => status !== arrived);
  if (failures.length === 0) return undefined;
  const lowest = failures.reduce((a, b) => (b[1] < a[1] ? b : a));
  const text = Array.from(lowest.subarray(3), (word) => String.fromCharCode(word)).join("");
  const failure = fromPlainError(JSON.parse(text) as PlainError);
  agreed.add(failure);
  return { failure, origin: lowest[1], at: Math.min(...failures.map(([, , at]) => at)) };
}
