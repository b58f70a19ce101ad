import type { Value } from "../../cluster/communicator/communicator.ts";
import type { Job, JobWatcher } from "../../cluster/jobs/service.ts";
import { badMessage } from "../../cluster/wire/frame.ts";
import { CrinkleError, type PlainError } from "../../core/errors.ts";
import { noJob } from "../../core/job.ts";
import { toPlain } from "../plain-errors.ts";
import { groupIsGone } from "./gone.ts";
import type { RankEngine } from "./rank-engine.ts";
import { receiveResult, sendResult } from "./result-packet.ts";

export interface GroupRequest {
  readonly [name: string]: Value;
  /** The group's id. */
  readonly group: string;
  /** The name of the job that the group's ranks run, and its parameters. */
  readonly job: string;
  readonly parameters: Value;
}

/** A group of ranks as the member of a room that stands for it has it. */
export interface GroupAnswers {
  readonly id: string;
  /**
   * Runs a job on all ranks of the group; resolves to its result. What they do is watched where the context's `progressOf` is
   * there. Throws BadMessage for jobs that it does not run.
   */
  run(job: string, parameters: Value, context: JobWatcher): Promise<unknown>;
}

const maxNameLength = 64;
const resultTag = 1;

/**
 * A job of a group of ranks beside the room: the member that stands for the group has it run there, and sends the room's
 * rank 0 the result. The other members have no part in it, rank 0's engine included, so that a job of the page may wait for it.
 * `answers` is the group that this rank stands for.
 */
export const groupJob = (answers?: GroupAnswers): Job<GroupRequest, unknown, RankEngine> => ({
  name: "group",

  parse(value) {
    const { group, job, parameters = null } = (value ?? {}) as Readonly<Record<string, Value>>;
    const isName = (text: Value | undefined): text is string =>
      typeof text === "string" && text.length > 0 && text.length <= maxNameLength;
    if (!isName(group) || !isName(job)) throw badMessage("a job of no group");
    return { group, job, parameters };
  },

  async run({ communicator, context }, { group, job, parameters }) {
    const isAsked = answers?.id === group;
    const from = (await communicator.allgather<Value>(isAsked)).indexOf(true);
    if (from < 0) throw groupIsGone();
    const answer = isAsked ? await answerOf(answers, job, parameters, context) : undefined;
    if (answer && communicator.rank !== 0) await sendResult(communicator, 0, resultTag, answer);
    if (communicator.rank !== 0) return undefined;
    const { result, problem } = answer ?? ((await receiveResult(communicator, from, resultTag)) as Answer);
    if (problem) throw new CrinkleError(problem);
    return result;
  },
});

/** The result of a group's job, or why it has failed there: on the group's ranks, which are not the room's. */
interface Answer {
  readonly result?: unknown;
  readonly problem?: PlainError;
}

/** Throws where the job has ended in the room. */
async function answerOf(
  answers: GroupAnswers,
  job: string,
  parameters: Value,
  { signal, progressOf }: JobWatcher,
): Promise<Answer> {
  try {
    // The group's ranks have numbers of their own, whose progress is not this member's.
    return { result: await answers.run(job, parameters, { ...noJob, signal, progressOf }) };
  } catch (error) {
    if (signal.aborted) throw error;
    return { problem: toPlain(error) };
  }
}
