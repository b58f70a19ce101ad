import { CrinkleError, type ErrorTag, type PlainError } from "../../core/errors.ts";
import type { Value } from "../communicator/communicator.ts";

/** Whether an error says that ranks were lost: what is left of them goes on in another epoch. */
export const isEpochOver = (error: unknown): boolean =>
  error instanceof CrinkleError && (error.tag === "RankFailed" || error.tag === "Revoked");

/** How a rank's part of a job ended: null, or the parts of its error. */
export function outcomeOf(error: unknown): Value {
  if (error === undefined) return null;
  if (error instanceof CrinkleError) {
    const { tag, problem, remedy } = error.toPlain();
    return { tag, problem, remedy };
  }
  return { tag: "Internal", problem: String(error), remedy: "" };
}

/** Ends that follow from another rank's: they do not say why a job failed. */
const consequences: ReadonlySet<string> = new Set<ErrorTag>(["Revoked", "Cancelled"]);

/**
 * Why a job failed: what the first rank says that did not merely end with the others. `own` is rank 0's error itself.
 * Undefined where all parts have succeeded.
 */
export function firstProblem(outcomes: readonly Value[], own: unknown): CrinkleError | undefined {
  const problems = outcomes.map(plainOf);
  const rank = problems.findIndex((problem) => problem && !consequences.has(problem.tag));
  if (rank < 0) {
    const any = problems.find((problem) => problem !== undefined);
    return any && new CrinkleError(any);
  }
  if (rank === 0 && own instanceof CrinkleError) return own;
  const { tag, problem, remedy } = problems[rank] as PlainError;
  return new CrinkleError({ tag, problem: rank === 0 ? problem : `Rank ${rank}: ${problem}`, remedy });
}

function plainOf(value: Value): PlainError | undefined {
  if (value === null || typeof value !== "object" || Array.isArray(value)) return undefined;
  const { tag, problem, remedy } = value as Readonly<Record<string, Value>>;
  return { tag: String(tag) as ErrorTag, problem: String(problem), remedy: String(remedy ?? "") };
}
