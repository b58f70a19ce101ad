import { CrinkleError, isCancelled, type PlainError } from "../../core/errors.ts";
import { checkCancelled, type JobContext } from "../../core/job.ts";
import { strategyNames } from "../../lang/expression/plan/strategies.ts";
import type { Session } from "../session.ts";
import { largestDifference } from "./agreement.ts";
import type { Comparison, ComparisonRow, RunRequest } from "./api.ts";
import { type MeasuredRun, measuredRun, type Program, programOf } from "./runs.ts";

/** A run shorter than this is repeated, and the faster one counts: the first one also compiles. */
const shortMs = 500;

/**
 * Runs a text by every strategy, one after the other, and reports each as it is done. A strategy that cannot run is a
 * row that says why. Throws what compiling throws, NoWebGPU, DeviceLost, Cancelled.
 */
export async function compareStrategies(
  session: Session,
  text: string,
  budget: number | undefined,
  onRow: (row: ComparisonRow) => void,
  job: JobContext,
): Promise<Comparison> {
  const program = await programOf(session, text);
  const limit = budget === undefined ? {} : { budget };
  const chosen = await automaticChoice(session, program, limit, part(job, 0, "auto"));
  let expected: MeasuredRun["values"] | undefined;
  for (const [i, strategy] of strategyNames.entries()) {
    try {
      const own = part(job, i + 1, strategy);
      const first = await measuredRun(session, program, { strategy, ...limit }, own);
      const again =
        first.summary.ms < shortMs ? await measuredRun(session, program, { strategy, ...limit }, own) : first;
      const { values, summary } = again.summary.ms < first.summary.ms ? again : first;
      expected ??= values;
      onRow({ kind: "run", strategy, run: summary, difference: largestDifference(values, expected) });
    } catch (error) {
      onRow({ kind: "refused", strategy, error: refusal(error) });
    }
    checkCancelled(job, "The comparison");
  }
  return { chosen };
}

async function automaticChoice(
  session: Session,
  program: Program,
  limit: Pick<RunRequest, "budget">,
  job: JobContext,
): Promise<Comparison["chosen"]> {
  try {
    const { summary } = await measuredRun(session, program, { strategy: "auto", ...limit }, job);
    return { strategy: summary.strategy, reason: summary.reason ?? "" };
  } catch (error) {
    refusal(error);
    return undefined;
  }
}

/** The parts of an error that concerns one strategy; throws the others again. */
function refusal(error: unknown): PlainError {
  if (isCancelled(error) || !(error instanceof CrinkleError)) throw error;
  if (error.tag === "NoWebGPU" || error.tag === "DeviceLost") throw error;
  return error.toPlain();
}

/** The progress of one run among those of the comparison. */
function part(job: JobContext, index: number, strategy: string): JobContext {
  const parts = strategyNames.length + 1;
  return {
    signal: job.signal,
    progress: (fraction) => job.progress((index + fraction) / parts, `Running by ${strategy}`),
  };
}
